#include "torsor/result/resumable_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <sstream>

#include "torsor/base/nearest.h"
#include "torsor/result/checkpoint_slots.h"
#include "torsor/result/hdf5_file.h"
#include "torsor/result/hdf5_reader.h"
#include "torsor/result/json_reading.h"
#include "torsor/result/record_rows.h"
#include "torsor/result/result_table.h"
#include "torsor/result/version.h"

namespace torsor {
namespace {

bool has_meshes(const Model& model) {
  const auto any = [](const std::vector<Shape>& shapes) {
    return std::any_of(shapes.begin(), shapes.end(),
                       [](const Shape& shape) { return std::holds_alternative<Mesh>(shape.solid); });
  };
  return any(model.world_shapes()) || std::any_of(model.bodies().begin(), model.bodies().end(),
                                                  [&](const Body& body) { return any(body.shapes); });
}

std::string date_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

[[noreturn]] void refuse(const ResumableRun& run, const std::string& key, const std::string& expected,
                         const std::string& found) {
  throw ModelError(key, expected, found, run.path);
}

void read_origin(const std::string& text, ResumableRun& run) {
  const Json json = parse_json(text, "checkpoint", run.path);
  const int format = whole_number<int>(json.at("format"));
  const std::string version = json.at("version");
  if (format != kCheckpointFormat || version != kVersion) {
    refuse(run, "checkpoint", fmt::format("one of torsor {} (format {})", kVersion, kCheckpointFormat),
           fmt::format("one of torsor {} (format {})", cut_at(version, 40), format));
  }
  if (json.at("build") != build_text()) run.another_build = json.at("build");
  run.source.file = json.at("file");
  run.source.overrides = json.at("overrides").get<decltype(run.source.overrides)>();
  std::string comments;  // in which the text names them
  for (const auto& [key, value] : run.source.overrides) comments += "# --set " + key + "=" + value + "\n";
  std::string& recorded = run.source.text;
  if (recorded.ends_with(comments)) recorded.resize(recorded.size() - comments.size());
  run.laws = json.at("laws").get<std::vector<std::string>>();
  run.identity = json.at("model").dump();
}

/// An attribute in older files.
std::string origin_of(const Hdf5File& file) {
  const std::string text = file.dataset_text(fmt::format("{}/run", kCheckpointGroup));
  const Hdf5Object* group = file.find(kCheckpointGroup);
  return text.empty() && group ? file.attribute_text(*group, "run") : text;
}

/// The first line that differs.
void require_same_text(const ResumableRun& run, const std::string& text) {
  std::istringstream then(run.text), now(text);
  for (int line = 1;; ++line) {
    std::string a, b;
    const bool more_a = static_cast<bool>(std::getline(then, a)),
               more_b = static_cast<bool>(std::getline(now, b));
    if (!more_a && !more_b) return;
    if (a == b && more_a == more_b) continue;
    refuse(run, fmt::format("model, line {}", line),
           more_a ? in_quotes(cut_at(a, 80)) + " as in the run" : "no such line, as in the run",
           more_b ? in_quotes(cut_at(b, 80)) : "none");
  }
}

}  // namespace

ResumableRun::ResumableRun() = default;
ResumableRun::ResumableRun(ResumableRun&&) noexcept = default;
ResumableRun& ResumableRun::operator=(ResumableRun&&) noexcept = default;
ResumableRun::~ResumableRun() = default;

RunCheckpoint ResumableRun::from() const {
  RunCheckpoint newest = checkpoints.front().run;
  newest.resumed.push_back({newest.time, date_now()});
  return newest;
}

double ResumableRun::time() const { return checkpoints.front().run.time; }

std::string model_identity(const Model& model) {
  Json bodies = Json::object(), joints = Json::object(), elements = Json::object();
  for (const Body& body : model.bodies()) {
    const Sym3<double>& I = body.inertia;
    bodies[body.name] = {
        {"mass", body.mass}, {"com", json_of(body.com)}, {"inertia", {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz}}};
  }
  for (const Joint& joint : model.joints()) joints[joint.name] = {{"type", name_of(joint.type)}};
  for_each_kind(model.elements(),
                [&](const char* section, const auto& list) { elements[section] = list.size(); });
  return json_text({{"dimension", model.dimension()},
                    {"gravity", json_of(model.gravity())},
                    {"bodies", bodies},
                    {"joints", joints},
                    {"elements", elements}});
}

std::string checkpoint_origin(const Model& model) {
  Json laws = Json::array();
  for (const OwnLaw& law : model.elements().laws) laws.push_back(law.name);
  for (const PointLaw& law : model.elements().point_laws) laws.push_back(law.name);
  const std::filesystem::path file = model.file();
  return json_text(
      {{"format", kCheckpointFormat},
       {"version", kVersion},
       {"build", build_text()},
       {"file", has_meshes(model) ? std::filesystem::absolute(file).string() : file.filename().string()},
       {"overrides", model.overrides()},
       {"laws", laws},
       {"model", Json::parse(model_identity(model))}});
}

ResumableRun read_resumable(const std::string& path) {
  const Hdf5Reader file(path, true);
  ResumableRun run;
  run.path = path;
  require_run(file, path);
  const std::string origin = origin_of(file.file());
  if (origin.empty()) {
    refuse(run, "checkpoint", "a result file that a run wrote with checkpoints, as it does by itself",
           "none (--checkpoint off, or a file that was exported, saved or written by an older version)");
  }
  try {
    run.text = run.source.text = file.text("model");
    read_origin(origin, run);
  } catch (const Json::exception& fault) {
    refuse(run, "checkpoint", "what a run wrote", fault.what());
  }
  ParsedSettings parsed = parse_settings(file.text("settings"));
  run.settings = parsed.settings;
  run.chosen = parsed.chosen;
  run.ledger = file.text("ledger");
  const Json ledger = run.ledger.empty() ? Json() : parse_json(run.ledger, "ledger", path);
  run.finished = ledger.is_object() && ledger.contains("status") && ledger["status"] == "done";
  const RecordRows rows(file.file(), file.text("channels"));
  run.rows = rows.rows();
  run.checkpoints = read_checkpoints(file.file());
  rows.keep_whole(run.checkpoints);
  if (run.checkpoints.empty()) {
    refuse(run, "checkpoint", "one that is whole, with the records before it", "none: the file is damaged");
  }
  return run;
}

Model model_of(const ResumableRun& run) {
  if (!run.laws.empty()) {
    refuse(run, "laws." + run.laws.front(),
           "the model with its functions, in the program that has them: resume(path, model)",
           "a name: no file holds a function");
  }
  if (run.source.text.empty())
    refuse(run, "model", "the text of a model file", "none: the model was made in code");
  return parse_model(run.source);
}

void require_same_model(const ResumableRun& run, const Model& model) {
  if (!model.text().empty() && !run.text.empty()) require_same_text(run, model.text());
  const Json then = Json::parse(run.identity), now = Json::parse(model_identity(model));
  const Json changes = Json::diff(then, now);
  if (changes.empty()) return;
  const std::string place = changes[0].at("path");
  const Json::json_pointer pointer(place);
  const auto shown = [&](const Json& json) {
    return json.contains(pointer) ? cut_at(json.at(pointer).dump(), 60) : "none";
  };
  std::string key = place.substr(std::min<std::size_t>(1, place.size()));
  std::replace(key.begin(), key.end(), '/', '.');
  refuse(run, key, shown(then) + " as in the run", shown(now));
}

void set_duration(ResumableRun& run, double duration, const std::string& key) {
  if (duration == run.settings.run.duration) return;
  if (!run.settings.run.spans.empty()) {
    throw ModelError(
        key, fmt::format("{:.9g} s, for which the steps of this run were chosen", run.settings.run.duration),
        fmt::format("{:.9g} s", duration));
  }
  run.settings.run.duration = duration;
  run.finished = false;
}

}  // namespace torsor
