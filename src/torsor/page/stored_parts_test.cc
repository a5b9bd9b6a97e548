// A page is made of results that it can show. The others made a page that stayed empty, with exit status 0.

#include "torsor/page/stored_parts.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "testing/models.h"
#include "torsor/base/error.h"
#include "torsor/page/report.h"
#include "torsor/result/json_ledger.h"
#include "torsor/result/result_table.h"

namespace torsor {
namespace {

class StoredParts : public testing::Test {
 protected:
  StoredParts() {
    std::string name = (std::filesystem::temp_directory_path() / "torsor-parts-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    const Model model(reference::driven_arm());
    const StepperChoice choice{.formulation = "rotationless", .integrator = "energy-momentum"};
    const auto stepper = make_stepper(model, choice);
    const Settings settings{resolve_method(model, choice), {.step = 0.01, .duration = 0.03}};
    TableKeeper keeper(model, settings_json(model, settings));
    const Record record = simulate(*stepper, settings.run, {&keeper}, false);
    keeper.table().ledger = ledger_json(record.ledger, record.manifest, keeper.last());
    table_ = keeper.table();
  }
  ~StoredParts() override { std::filesystem::remove_all(folder_); }

  std::string path() const { return folder_ / "run.h5"; }

  /// What `report` answers to a result with this table.
  std::string answer(const ResultTable& table) const {
    write_result(table, path());
    try {
      report_data({{path()}, {}});
    } catch (const ModelError& error) {
      return error.what();
    }
    return "none";
  }
  std::string answer_to_scene(const std::function<void(Json&)>& change) const {
    ResultTable table = table_;
    Json scene = Json::parse(table.scene);
    change(scene);
    table.scene = scene.dump();
    return answer(table);
  }
  std::string answer_to_ledger(const std::function<void(Json&)>& change) const {
    ResultTable table = table_;
    Json ledger = Json::parse(table.ledger);
    change(ledger);
    table.ledger = ledger.dump();
    return answer(table);
  }

  std::filesystem::path folder_;
  ResultTable table_;
};

TEST_F(StoredParts, ThoseOfARunAreTaken) { EXPECT_EQ(answer(table_), "none"); }

TEST_F(StoredParts, ResultsThatLackWhatThePageCanDoWithoutAreTaken) {
  ResultTable table = table_;
  table.ledger = table.settings = "";  // of a run that was killed, of one made in code
  EXPECT_EQ(answer(table), "none");
  EXPECT_EQ(answer_to_scene([](Json& scene) {  // of an earlier version
              for (const char* later : {"world_shapes", "joint_elements", "bushings", "loads"})
                scene.erase(later);
            }),
            "none");
}

TEST_F(StoredParts, AnIncompleteResultIsRefused) {
  for (const char* scene : {"", "null", "[]", "{}", R"({"bodies": []})", R"({"bodies": {}, "joints": []})"}) {
    ResultTable table = table_;
    table.scene = scene;
    EXPECT_EQ(answer(table),
              path() + ": scene: expected the bodies and joints that are to be drawn, found none")
        << scene;
  }
  EXPECT_EQ(answer_to_scene([](Json& scene) { scene["bodies"] = Json::array(); }),
            path() + ": scene.bodies: expected a body or more, found an empty one");
}

const std::string kPoint = R"({"name": "a", "body": 0, "at": [0, 0, 0]})";
const std::string kWrap = R"([{"position": [0, 0, 0], "quaternion": [1, 0, 0, 0], "segment": 1}])";

/// The tendons of a scene with one.
Json with_path(const std::string& points, const std::string& wraps) {
  return Json::parse(R"([{"name": "t", "rest_length": null, "tension_only": true, "path": [)" + points +
                     R"(], "wraps": )" + wraps + "}]");
}

TEST_F(StoredParts, TendonsOverJointsHaveNoPath) {
  EXPECT_EQ(answer_to_scene([](Json& scene) { scene["tendons"] = with_path("", "[]"); }), "none");
}

TEST_F(StoredParts, ScenesThatThePageCannotDrawAreRefused) {
  const struct {
    std::function<void(Json&)> change;
    const char* answer;
  } kCases[] = {
      {[](Json& s) { s["bodies"] = Json::parse("[{}]"); },
       "scene.bodies.0: expected a map with name, found none"},
      {[](Json& s) { s["bodies"] = Json::parse("[null]"); }, "scene.bodies.0: expected a map, found null"},
      {[](Json& s) { s["joints"] = Json::parse("[1, 2]"); }, "scene.joints.0: expected a map, found 1"},
      {[](Json& s) { s.erase("points"); }, "scene: expected a map with points, found none"},
      {[](Json& s) { s.erase("tendons"); }, "scene: expected a map with tendons, found none"},
      {[](Json& s) { s["bodies"][0]["shapes"] = Json::parse(R"([{"kind": "mesh"}])"); },
       "scene.bodies.0.shapes.0: expected a map with position, found none"},
      {[](Json& s) {
         s["bodies"][0]["shapes"] = Json::parse(R"([{"position": [0, 0, 0], "quaternion": [1, 0, 0, 0]}])");
       },
       "scene.bodies.0.shapes.0: expected one of box, cylinder, sphere, capsule, ellipsoid, mesh"},
      {[](Json& s) {
         s["bodies"][0]["shapes"] = Json::parse(
             R"([{"position": [0, 0, 0], "quaternion": [1, 0, 0, 0], "mesh": {"vertices": "?", "triangles": ""}}])");
       },
       "scene.bodies.0.shapes.0.mesh.vertices: expected base64 of 12 bytes each"},
      {[](Json& s) { s["bodies"][0]["com"] = Json::parse("[0, null, 0]"); },
       "scene.bodies.0.com: expected a list of 3 numbers"},
      {[](Json& s) { s["joints"][0]["child"] = 99; },
       "scene.joints.0.child: expected a whole number from -1 to"},
      {[](Json& s) { s["joints"][0]["parent"] = 0.5; }, "scene.joints.0.parent: expected a whole number"},
      {[](Json& s) { s["dimension"] = 4; }, "scene.dimension: expected a whole number from 2 to 3, found 4"},
      {[](Json& s) { s["loads"] = 1; }, "scene.loads: expected a list, found 1"},
      {[](Json& s) { s["tendons"] = with_path(kPoint, "[]"); },
       "scene.tendons.0.path: expected two points or more, or none of a tendon over joints"},
      {[](Json& s) { s["tendons"] = with_path("", "[{}]"); },
       "scene.tendons.0.wraps: expected none, since the path has no points"},
      {[](Json& s) { s["tendons"] = with_path(kPoint + "," + kPoint, kWrap); },
       "scene.tendons.0.wraps.0.segment: expected a whole number from 0 to 0, found 1"},
  };
  for (const auto& [change, expected] : kCases) {
    const std::string found = answer_to_scene(change);
    EXPECT_TRUE(found.starts_with(path() + ": " + expected)) << found;
  }
}

TEST_F(StoredParts, LedgersThatThePageCannotShowAreRefused) {
  for (const char* text : {"{}", "[1]", "7"}) {
    ResultTable table = table_;
    table.ledger = text;
    EXPECT_TRUE(answer(table).starts_with(path() + ": ledger: expected the ledger of a run"))
        << answer(table);
  }
  EXPECT_EQ(answer_to_ledger([](Json& ledger) { ledger.erase("status"); }),
            path() + ": ledger: expected a map with status, found none");
  EXPECT_EQ(answer_to_ledger([](Json& ledger) { ledger["energy"]["work_by"] = nullptr; }),
            path() + ": ledger.energy.work_by: expected a map, found null");
  EXPECT_EQ(answer_to_ledger([](Json& ledger) { ledger["verdicts"]["energy"]["text"] = 1; }),
            path() + ": ledger.verdicts.energy.text: expected a text, found 1");
  EXPECT_EQ(answer_to_ledger([](Json& ledger) { ledger.erase("verdicts"); }), "none");
}

TEST_F(StoredParts, SettingsThatThePageCannotShowAreRefused) {
  for (const char* text : {"[1]", "{}", "7"}) {
    ResultTable table = table_;
    table.settings = text;
    EXPECT_TRUE(answer(table).starts_with(path() + ": settings: expected a map")) << answer(table);
  }
}

/// Of a mesh, tendons, loads: what the program writes is what the page takes.
TEST_F(StoredParts, MeshesAreTaken) {
  EXPECT_EQ(
      answer_to_scene([](Json& scene) {
        scene["bodies"][0]["shapes"] = Json::parse(
            R"([{"position": [0, 0, 0], "quaternion": [1, 0, 0, 0], "mesh": {"vertices": "AAAAAAAAAAAAAAAA",
                       "triangles": "AAAAAAAAAAAAAAAA", "parts": [{"first": 0, "color": [1, 0, 0, 1]}]}}])");
      }),
      "none");
}

}  // namespace
}  // namespace torsor
