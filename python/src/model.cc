// Models as texts: read, validated, asked what they are.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <filesystem>

#include "model.h"
#include "module.h"
#include "torsor/format/convert.h"
#include "torsor/format/gallery.h"
#include "torsor/format/model_files.h"
#include "torsor/format/model_reader.h"
#include "torsor/result/equilibrium_answer.h"
#include "torsor/result/json_check.h"
#include "torsor/result/json_evaluation.h"
#include "torsor/result/json_model.h"
#include "torsor/result/json_state.h"
#include "torsor/result/modes_answer.h"
#include "torsor/result/output_file.h"
#include "torsor/result/pose_answer.h"
#include "torsor/result/version.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace torsor::python {
namespace {

using Overrides = std::vector<std::pair<std::string, std::string>>;

template <class Named>
std::vector<std::string> names(const std::vector<Named>& all) {
  std::vector<std::string> result;
  for (const Named& one : all) result.push_back(one.name);
  return result;
}

/// Name, type, first coordinate and their number, first rate and their number.
std::vector<std::tuple<std::string, std::string, int, int, int, int>> joints(const PyModel& m) {
  std::vector<std::tuple<std::string, std::string, int, int, int, int>> all;
  for (int j = 0; j < static_cast<int>(m.model.joints().size()); ++j) {
    const Joint& joint = m.model.joints()[j];
    const int q = m.model.coordinate_offset(j), v = m.model.rate_offset(j);
    all.emplace_back(joint.name, name_of(joint.type), q, m.model.coordinate_offset(j + 1) - q, v,
                     m.model.rate_offset(j + 1) - v);
  }
  return all;
}

}  // namespace

PyModel::PyModel(Model built, ImportReport report, std::vector<std::string> read)
    : model(std::move(built)), imported(std::move(report)), files(std::move(read)) {
  for (const std::string& file : files_of(model, imported)) {
    std::error_code fault;
    if (!file.empty()) files.push_back(std::filesystem::absolute(file, fault).string());
  }
}

void bind_model(nb::module_& module) {
  nb::class_<PyModel>(module, "Model", "A model file, read and validated.")
      .def(
          "__init__",
          [](PyModel* place, const std::string& text, const std::string& file, const Overrides& overrides,
             const nb::list& laws, const std::vector<std::string>& read) {
            const std::vector<NamedLaw> named = read_laws(laws);
            nb::gil_scoped_release release;
            new (place) PyModel(model_with_laws(ModelSource{file, text, overrides}, named), {}, read);
          },
          "text"_a, "file"_a, "overrides"_a, "laws"_a, "read"_a = std::vector<std::string>{},
          nb::sig("def __init__(self, text: str, file: str, overrides: collections.abc.Sequence[tuple[str, "
                  "str]], laws: list[tuple[typing.Any, ...]], read: collections.abc.Sequence[str] = ...) -> "
                  "None"))
      .def_prop_ro("files", [](const PyModel& m) { return m.files; })
      .def_prop_ro("name", [](const PyModel& m) { return m.model.name(); })
      .def_prop_ro("text",
                   [](const PyModel& m) {
                     const std::string text = m.model.text();
                     return nb::bytes(text.data(), text.size());
                   })
      .def_prop_ro("dimension", [](const PyModel& m) { return m.model.dimension(); })
      .def_prop_ro("bodies", [](const PyModel& m) { return names(m.model.bodies()); })
      .def_prop_ro("joints", joints)
      .def_prop_ro("tendons", [](const PyModel& m) { return names(m.model.tendons()); })
      .def_prop_ro("actuators", [](const PyModel& m) { return names(m.model.actuators()); })
      .def_prop_ro("coordinate_count", [](const PyModel& m) { return m.model.coordinate_count(); })
      .def_prop_ro("rate_count", [](const PyModel& m) { return m.model.rate_count(); })
      .def("check_json",
           [](const PyModel& m) {
             nb::gil_scoped_release release;
             return check_json(m.model, -1, m.imported);
           })
      .def(
          "evaluation_json",
          [](const PyModel& m, const std::string& state, const std::vector<std::string>& quantities) {
            nb::gil_scoped_release release;
            return evaluation_json(m.model, parse_joint_state(m.model, state, "state"), quantities);
          },
          "state"_a, "quantities"_a)
      .def(
          "equilibrium_json",
          [](const PyModel& m, bool all, int starts, bool hold) {
            nb::gil_scoped_release release;
            return answer_equilibrium(m.model, {all, starts, hold}, true).text;
          },
          "all"_a, "starts"_a, "hold"_a)
      .def(
          "modes_json",
          [](const PyModel& m, const std::string& at, const std::string& out, bool force) {
            nb::gil_scoped_release release;
            require_replaceable(out, "out", m.files, force);
            return answer_modes(m.model, {at, out}, true).text;
          },
          "at"_a, "out"_a, "force"_a)
      .def(
          "pose_json",
          [](const PyModel& m, const std::vector<std::string>& reach, bool all, bool assembly_modes,
             int starts) {
            nb::gil_scoped_release release;
            return answer_pose(m.model, {reach, all, assembly_modes, starts}, true).text;
          },
          "reach"_a, "all"_a, "assembly_modes"_a, "starts"_a);
  module.def(
      "model_json",
      [](const std::string& text, const std::string& file, const Overrides& overrides) {
        return model_json({file, text, overrides});
      },
      "text"_a, "file"_a, "overrides"_a, "A model file as JSON.");
  module.def("find_model", &find_model, "path_or_name"_a);
  module.def(
      "load",
      [](const std::string& path, const std::optional<std::string>& text, bool floating_base, bool limits,
         bool meshes, const std::vector<std::string>& package_path, bool strict,
         const std::vector<std::string>& allow, const std::string& keyframe, bool files_outside) {
        nb::gil_scoped_release release;
        const ImportOptions options{.strict = strict,
                                    .allowed = allow,
                                    .floating_base = floating_base,
                                    .limits = limits,
                                    .meshes = meshes,
                                    .package_path = package_path,
                                    .keyframe = keyframe,
                                    .files_outside = files_outside};
        const ModelSource source = text ? source_of_text(*text, path, options) : read_source(path, options);
        return std::make_tuple(source.text, source.report.format,
                               PyModel(parse_model(source), source.report));
      },
      "path"_a, "text"_a.none(), "floating_base"_a, "limits"_a, "meshes"_a, "package_path"_a, "strict"_a,
      "allow"_a, "keyframe"_a, "files_outside"_a,
      "Text, format where it is another than ours, and what was made of it; of a file, or of a text "
      "instead.");
  module.def(
      "converted_text",
      [](const std::string& text, const std::string& file, const Overrides& overrides,
         const std::string& out) {
        return converted_text({file, text, overrides}, out);
      },
      "text"_a, "file"_a, "overrides"_a, "out"_a);
  module.def("gallery", [] {
    std::vector<std::tuple<std::string, std::string, std::string>> all;
    for (const GalleryEntry& entry : gallery()) all.emplace_back(entry.name, entry.file, entry.summary);
    return all;
  });
  module.def("quantities", &evaluation_quantities);
  module.attr("version") = kVersion;
  module.attr("build_text") = build_text();
}

}  // namespace torsor::python
