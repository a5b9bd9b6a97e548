#include "torsor/format/sweep_reader.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <optional>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/format/gallery.h"
#include "torsor/format/model_tree.h"
#include "torsor/format/yaml_view.h"
#include "torsor/study/sweep_samples.h"

namespace torsor {
namespace {

constexpr long kMostItems = 100'000;
constexpr std::size_t kMostVariables = 1000;  ///< for each the model is read; each is compared with all

/// A number with any unit; whether it is the right one is seen where the model reads it.
double number(const YamlView& view) { return view.number(kAnyQuantity); }

/// The one key of a mapping that says what kind a thing is.
std::size_t kind_of(const YamlView& view, const std::vector<std::string>& words, const std::string& what) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!view.has(words[i])) continue;
    if (found)
      view.fail(fmt::format("one of the keys {}", listed(words)), words[*found] + " and " + words[i]);
    found = i;
  }
  if (!found) view.fail(fmt::format("{}: one of the keys {}", what, listed(words)));
  return *found;
}

SweepVariable read_variable(const std::string& path, const YamlView& view) {
  using Kind = SweepVariable::Kind;
  SweepVariable variable;
  variable.path = path;
  const std::vector<std::string>& words = sweep_variable_words();
  std::vector<std::string> keys = words;
  keys.push_back("count");
  view.allow_keys(keys);
  const std::size_t kind = kind_of(view, words, "how the value varies");
  variable.kind = static_cast<Kind>(kind);
  const YamlView values = *view.find(words[kind]);
  if (variable.kind == Kind::list) {
    if (view.has("count")) view.fail("no count: a list has its items", "one");
    for (const YamlView& item : values.list()) variable.items.push_back(yaml_line(item.node()));
    if (variable.items.empty()) values.fail("a list with an item or more");
    if (variable.items.size() > kMostItems) values.fail(fmt::format("at most {} items", kMostItems));
    return variable;
  }
  const bool normal = variable.kind == Kind::normal;
  const std::vector<YamlView> two =
      values.list(2, normal ? "values: mean, standard deviation" : "values: first, last");
  variable.first = number(two[0]);
  variable.second = number(two[1]);
  if (normal && !(variable.second > 0)) two[1].fail("a standard deviation above 0");
  if (!normal && !(variable.first < variable.second)) two[1].fail("an end above the first value");
  if (variable.kind == Kind::log && !(variable.first > 0)) two[0].fail("a value above 0");
  if (const auto count = view.find("count")) variable.count = count->integer(2, kMostRuns);
  return variable;
}

SweepSampling read_sampling(const YamlView& view) {
  SweepSampling sampling;
  view.allow_keys({"method", "count", "seed"});
  if (const auto method = view.find("method")) {
    sampling.method = static_cast<SweepMethod>(method->choice(sweep_method_words()));
  }
  if (const auto count = view.find("count")) sampling.count = count->integer(1, kMostRuns);
  if (const auto seed = view.find("seed")) {
    sampling.seed = static_cast<std::uint64_t>(seed->integer(0, 9'007'199'254'740'992));
  }
  if (sampling.method != SweepMethod::grid && sampling.count == 0) {
    view.at("count", "the number of runs");
  }
  return sampling;
}

SweepMeasure read_measure(const std::string& name, const YamlView& view) {
  const std::vector<std::string>& words = sweep_measure_words();
  view.allow_keys(words);
  const std::size_t kind = kind_of(view, words, "what is kept of a channel");
  return {name, static_cast<SweepMeasure::Kind>(kind), view.find(words[kind])->text()};
}

SweepDescription read_description(const YamlView& file) {
  SweepDescription d;
  const YamlView vary = file.at("vary", "a mapping of values of the model that vary");
  const std::vector<std::pair<std::string, YamlView>> varied = vary.keyed();
  if (varied.size() > kMostVariables) {
    vary.fail(fmt::format("at most {} values that vary", kMostVariables), std::to_string(varied.size()));
  }
  for (const auto& [path, view] : varied) {
    for (const SweepVariable& other : d.variables) {
      if (holds_place(path, other.path)) {
        view.fail(fmt::format("a value that leaves {} as it is; what holds another comes before it",
                              in_quotes(other.path)),
                  "one that replaces it");
      }
    }
    d.variables.push_back(read_variable(path, view));
  }
  if (const auto samples = file.find("samples")) d.sampling = read_sampling(*samples);
  const YamlView measures = file.at("measure", "a mapping of what is kept of each run");
  for (const auto& [name, view] : measures.named()) d.measures.push_back(read_measure(name, view));
  if (const auto keep = file.find("keep")) {
    keep->allow_keys({"records"});
    d.kept_records = keep->at("records", "how many runs are kept whole").integer(0, 1000);
  }
  return d;
}

/// `simulation: {duration: 10}` becomes `simulation.duration=10`; so do all values of `set`.
void add_overrides(const YamlView& file, ModelSource& model) {
  if (const auto simulation = file.find("simulation")) {
    for (const auto& [key, value] : simulation->keyed()) {
      model.overrides.emplace_back("simulation." + key, yaml_line(value.node()));
    }
  }
  if (const auto set = file.find("set")) {
    for (const auto& [path, value] : set->keyed())
      model.overrides.emplace_back(path, yaml_line(value.node()));
  }
}

/// The unit of a number at a place of the model: what the reader expects there when it finds a quantity that nothing has.
std::string unit_at(ModelSource model, const std::string& path) {
  model.overrides.emplace_back(path, "1 kg^9");
  try {
    parse_description(model);
  } catch (const ModelError& error) {
    return unit_in(error.expected);
  }
  return {};
}

/// Reads the model once with each end of each variable as the file has it: units that do not fit, and places that do not
/// exist, are the sweep file's fault.
void try_values(const YamlView& file, const SweepSource& sweep) {
  const YamlView vary = *file.find("vary");
  for (const SweepVariable& variable : sweep.description.variables) {
    const YamlView place = *vary.find(variable.path);
    const YamlView values = *place.find(sweep_variable_words()[static_cast<std::size_t>(variable.kind)]);
    for (const YamlView& value : values.list()) {
      ModelSource model = sweep.model;
      model.overrides.emplace_back(variable.path, yaml_line(value.node()));
      try {
        parse_description(model);
      } catch (const ModelError& error) {
        if (error.file.starts_with("--set " + variable.path) || error.key.starts_with(variable.path)) {
          value.fail(error.expected, error.found);
        }
        throw;
      }
    }
  }
}

/// Of other files not a line is shown, as a message about a model that is wrong may; a link is what it leads to. Who reads
/// a pipe waits.
bool is_model_file(const std::string& path) {
  const auto has_ending = [](const std::filesystem::path& name) {
    const std::string ending = name.extension().string();
    return ending == ".yaml" || ending == ".yml" || ending == ".urdf" || ending == ".xml";
  };
  std::error_code fault;
  const std::filesystem::path target = std::filesystem::canonical(path, fault);
  return !fault && has_ending(path) && has_ending(target) && std::filesystem::is_regular_file(target, fault);
}

SweepSource read_file(const std::string& text, const std::string& file_name,
                      std::optional<ModelSource> model) {
  const YamlNode root = parse_yaml(text, file_name);
  const YamlView file(root);
  if (!file.is_map()) file.fail("a mapping with `torsor_sweep: 1`");
  if (const auto model_version = file.find("torsor"))
    model_version->fail("a sweep file (`torsor_sweep: 1`)",
                        "a model file, which `torsor run FILE` simulates");
  file.allow_keys({"torsor_sweep", "model", "vary", "samples", "measure", "keep", "simulation", "set"});
  const YamlView version = file.at("torsor_sweep", "the format version: `torsor_sweep: 1`");
  if (!version.is_scalar() || version.text() != "1") version.fail("the format version 1");
  SweepSource sweep;
  sweep.file = file_name;
  sweep.text = text;
  if (model) {
    sweep.model = std::move(*model);
  } else {
    const YamlView name = file.at("model", "a model file, or a name from `torsor list models`");
    const std::filesystem::path beside = std::filesystem::path(file_name).parent_path() / name.text();
    std::error_code fault;
    std::string path = beside.string();
    if (!std::filesystem::is_regular_file(beside, fault)) {
      try {
        path = find_model(name.text());
      } catch (const ModelError& error) {
        name.fail(error.expected, error.found);
      }
    }
    if (!is_model_file(path)) name.fail("a model file .yaml, .yml, .urdf or .xml");
    sweep.model = read_source(path);
  }
  add_overrides(file, sweep.model);
  sweep.description = read_description(file);
  try {
    SweepSamples samples(sweep.description);
  } catch (const ModelError& error) {
    for (const auto& [path, view] : file.find("vary")->keyed()) {  // a path is one key here
      if (error.key == "vary." + path) view.fail(error.expected, error.found);
    }
    throw ModelError(error.key, error.expected, error.found, file_name, deepest_match(root, error.key).line);
  }
  try_values(file, sweep);
  for (SweepVariable& variable : sweep.description.variables) {
    if (variable.items.empty()) variable.unit = unit_at(sweep.model, variable.path);
  }
  return sweep;
}

}  // namespace

ModelVariants SweepSource::variants() const {
  std::vector<VariedValue> values;
  for (const SweepVariable& variable : description.variables)
    values.push_back({variable.path, variable.items});
  return {model, std::move(values)};
}

SweepSource read_sweep(const std::string& path) {
  return sweep_of_text(read_text_file(path, "a sweep file"), path);
}

SweepSource sweep_of_text(const std::string& text, const std::string& file_name) {
  return read_file(text, file_name, std::nullopt);
}

SweepSource sweep_of_text(const std::string& text, const std::string& file_name, ModelSource model) {
  return read_file(text, file_name, std::move(model));
}

}  // namespace torsor
