#include "torsor/format/model_reader.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/format/import.h"
#include "torsor/format/model_reader_parts.h"

namespace torsor {
namespace {

void read_gravity(const YamlView& gravity, ModelReading& reading) {
  reading.d.gravity = read_vector(gravity, reading.dimension(), kAcceleration);
}

struct Section {
  const char* name;
  void (*read)(const YamlView&, ModelReading&) = nullptr;  ///< null: it has entries, each of which is read
  void (*read_entry)(const std::string& name, const YamlView&, ModelReading&) = nullptr;

  constexpr Section(const char* of, void (*whole)(const YamlView&, ModelReading&)) : name(of), read(whole) {}
  constexpr Section(const char* of, void (*entry)(const std::string&, const YamlView&, ModelReading&))
      : name(of), read_entry(entry) {}
};

/// In the order in which one refers to another; the file may have them in any. What refers to none is first, so that it is
/// not read again where others vary; what none refers to is last, so that others are not read again where it varies.
constexpr Section kSections[] = {{"simulation", read_simulation},
                                 {"world", read_world},
                                 {"bodies", read_bodies},
                                 {"joints", read_joints},
                                 {"points", read_points},
                                 {"tendons", read_tendons},
                                 {"joint_springs", read_joint_springs},
                                 {"bushings", read_bushings},
                                 {"loads", read_loads},
                                 {"actuators", read_actuators},
                                 {"controllers", read_controllers},
                                 {"servos", read_servos},
                                 {"couplings", read_couplings},
                                 {"gravity", read_gravity},
                                 {"initial", read_initial}};

void read_head(const YamlView& file, ModelReading& reading) {
  std::vector<std::string> keys{"torsor", "name", "dimension"};
  for (const Section& section : kSections) keys.emplace_back(section.name);
  for (const std::string& section : described_sections()) keys.push_back(section);
  if (const auto laws = file.find("laws"))
    laws->fail("no laws: they are functions, which C++ and Python give and no file can hold", "some");
  if (const auto sweep = file.find("torsor_sweep"))
    sweep->fail("a model file (`torsor: 1`)", "a sweep file, which `torsor sweep FILE` runs");
  file.allow_keys(keys);
  const YamlView version = file.at("torsor", "the format version: `torsor: 1`");
  if (!version.is_scalar() || version.text() != "1") version.fail("the format version 1");
  if (const auto name = file.find("name")) reading.d.name = name->text();
  if (const auto dimension = file.find("dimension"))
    reading.d.dimension = static_cast<int>(dimension->integer(2, 3));
}

/// Of a recorded text: overrides, then names of laws that no file can hold.
constexpr const char *kOverride = "# --set ", *kLaw = "# law ";

/// The text that made the model: overrides are part of the truth, and stay behind as comments.
std::string recorded_text(const ModelSource& source) {
  std::string text = source.text;
  if (!text.empty() && text.back() != '\n') text += '\n';
  for (const auto& [path, value] : source.overrides) text += kOverride + path + "=" + value + "\n";
  return source.overrides.empty() ? source.text : text;
}

}  // namespace

ReadingPlace reading_end() { return {std::size(kSections) + 2, 0}; }

ReadingPlace reading_place(const YamlNode& root, const std::string& path) {
  const std::size_t dot = path.find_first_of(".[");
  const std::string name = path.substr(0, dot);
  for (std::size_t i = 0; i < std::size(kSections); ++i) {
    if (name != kSections[i].name) continue;
    const YamlEntry* section = kSections[i].read_entry && dot < path.size() ? root.find(name) : nullptr;
    if (!section) return {i + 1, 0};
    const std::string entry = path.substr(dot + 1, path.find_first_of(".[", dot + 1) - dot - 1);
    const std::vector<YamlEntry>& entries = section->value.entries;
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const YamlEntry& other) { return other.key == entry; });
    return {i + 1, found == entries.end() ? 0 : static_cast<std::size_t>(found - entries.begin())};
  }
  const std::vector<std::string> described = described_sections();
  const bool is_described = std::find(described.begin(), described.end(), name) != described.end();
  return {is_described ? std::size(kSections) + 1 : 0, 0};
}

ModelReading begun_reading(const ModelSource& source) {
  ModelReading reading;
  reading.folder = std::filesystem::path(source.file).parent_path().string();
  reading.d.name = std::filesystem::path(source.file).stem().string();
  reading.d.text = recorded_text(source);
  reading.d.file = source.file;
  reading.d.overrides = source.overrides;
  return reading;
}

namespace {

/// `from` and `to` count entries, of a section that has some.
void read_section(const Section& section, const YamlView& view, ModelReading& reading, std::size_t from,
                  std::size_t to) {
  if (section.read) return section.read(view, reading);
  const auto entries = view.named();
  for (std::size_t i = from; i < std::min(to, entries.size()); ++i)
    section.read_entry(entries[i].first, entries[i].second, reading);
}

}  // namespace

void read_stages(const YamlNode& root, ModelReading& reading, const ReadingPlace& first,
                 const ReadingPlace& last) {
  const YamlView file(root);
  for (std::size_t stage = first.stage; ReadingPlace{stage, 0} < last; ++stage) {
    if (stage == 0) {
      read_head(file, reading);
      file.at("bodies", "a mapping of bodies");
    } else if (stage > std::size(kSections)) {
      read_described(file, reading);
    } else if (const auto view = file.find(kSections[stage - 1].name)) {
      read_section(kSections[stage - 1], *view, reading, stage == first.stage ? first.entry : 0,
                   stage == last.stage ? last.entry : std::numeric_limits<std::size_t>::max());
    }
  }
}

void NameIndex::add(const std::string& name) {
  if (!names_) {
    names_ = std::make_shared<Names>();
  } else if (names_.use_count() > 1) {
    names_ = std::make_shared<Names>(*names_);
  }
  names_->index.emplace(name, static_cast<int>(names_->list.size()));
  names_->list.push_back(name);
}

int NameIndex::resolve(const YamlView& name) const {
  if (!name.is_scalar()) name.fail(what_);
  if (!has(name.text())) refuse(name.text(), name);
  return index(name.text());
}

void NameIndex::refuse(const std::string& name, const YamlView& place) const {
  place.fail(what_, did_you_mean(name, names_ ? names_->list : std::vector<std::string>{}));
}

int ModelReading::body(const YamlView& name) const {
  if (!name.is_scalar()) return bodies.resolve(name);
  if (name.text() == "world") return kWorld;
  const bool means_world = name.text() == "ground" || name.text() == "World";
  if (means_world && !bodies.has(name.text()))
    name.fail("the name of a body, or world", in_quotes(name.text()) + " (the ground is called 'world')");
  return bodies.resolve(name);
}

YamlNode source_tree(const ModelSource& source) {
  YamlNode root = source.imported ? *source.imported : parse_yaml(source.text, source.file);
  if (root.kind != YamlNode::Kind::map) YamlView(root).fail("a mapping with `torsor: 1` and `bodies`");
  for (const auto& [path, value] : source.overrides) apply_override(root, path, value);
  return root;
}

ModelSource source_of_text(const std::string& text, const std::string& file_name,
                           const ImportOptions& options) {
  ModelSource source{file_name, text, {}};
  if (!looks_like_xml(file_name, text)) return source;
  const XmlDocument document(text, file_name);
  source.imported = std::make_shared<const YamlNode>(import_model(document, options, source.report));
  source.text =
      yaml_text(*source.imported, {"Made of " + std::filesystem::path(file_name).filename().string() + " (" +
                                   source.report.format + ")."});
  return source;
}

ModelSource read_source(const std::string& path, const ImportOptions& options) {
  return source_of_text(read_text_file(path), path, options);
}

ModelSource recorded_source(const std::string& text) {
  ModelSource source{"", text, {}};
  std::size_t end = text.size();
  while (end > 0) {
    const std::size_t newline = end > 1 ? text.rfind('\n', end - 2) : std::string::npos;
    const std::size_t start = newline == std::string::npos ? 0 : newline + 1;
    const std::string line = text.substr(start, end - start - (text[end - 1] == '\n' ? 1 : 0));
    const bool is_override = line.starts_with(kOverride) && line.find('=') != std::string::npos;
    if (!is_override && !line.starts_with(kLaw)) break;
    if (is_override) source.overrides.push_back(parse_override(line.substr(std::string(kOverride).size())));
    end = start;
  }
  std::reverse(source.overrides.begin(), source.overrides.end());
  source.text = text.substr(0, end);
  return source;
}

std::pair<std::string, std::string> parse_override(const std::string& assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    throw ModelError("--set", "path=value", in_quotes(assignment));
  return {assignment.substr(0, equals), assignment.substr(equals + 1)};
}

namespace {

ModelDescription read_description(const YamlNode& root, const ModelSource& source) {
  ModelReading reading = begun_reading(source);
  read_stages(root, reading, {}, reading_end());
  return std::move(reading.d);
}

}  // namespace

ModelDescription parse_description(const ModelSource& source) {
  const YamlNode root = source_tree(source);
  return located(root, [&] { return read_description(root, source); });
}

Model parse_model(const ModelSource& source) {
  const YamlNode root = source_tree(source);
  return located(root, [&] { return Model(read_description(root, source)); });
}

Model parse_model(const std::string& text, const std::string& file_name) {
  return parse_model(ModelSource{file_name, text, {}});
}

Model load_model(const std::string& path, const ImportOptions& options) {
  return parse_model(read_source(path, options));
}

}  // namespace torsor
