#include "torsor/format/model_variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/format/model_reader_parts.h"

namespace torsor {

struct ModelVariants::Parts {
  ModelSource source;
  std::vector<VariedValue> values;
  std::vector<std::string> origins;          ///< of each value, for messages
  std::vector<std::vector<YamlNode>> items;  ///< likewise
  YamlNode root;
  ReadingPlace varying;  ///< before the first that a value changes
  ModelReading before;   ///< up to there; overrides end with those of the values

  YamlNode& place(std::size_t value) { return override_place(root, values[value].path, origins[value]); }
};

ModelVariants::ModelVariants(const ModelSource& source, std::vector<VariedValue> values)
    : parts_(std::make_unique<Parts>(
          Parts{source, std::move(values), {}, {}, source_tree(source), reading_end(), {}})) {
  Parts& parts = *parts_;
  for (std::size_t i = 0; i < parts.values.size(); ++i) {
    const std::string& origin = parts.origins.emplace_back("vary." + parts.values[i].path);
    parts.place(i);
    std::vector<YamlNode>& items = parts.items.emplace_back();
    for (const std::string& item : parts.values[i].items) items.push_back(override_value(item, origin));
  }
  for (const VariedValue& value : parts.values)
    parts.varying = std::min(parts.varying, reading_place(parts.root, value.path));
  parts.before = begun_reading(source);
  located(parts.root, [&] { read_stages(parts.root, parts.before, {}, parts.varying); });
  ModelDescription& d = parts.before.d;
  if (!parts.values.empty() && !d.text.ends_with('\n')) d.text.push_back('\n');
  d.text_before = std::make_shared<const std::string>(std::exchange(d.text, {}));
  for (const VariedValue& value : parts.values) d.overrides.emplace_back(value.path, "");
}
ModelVariants::ModelVariants(const ModelVariants& other) : parts_(std::make_unique<Parts>(*other.parts_)) {}
ModelVariants::~ModelVariants() = default;

Model ModelVariants::model(std::span<const double> values) {
  Parts& parts = *parts_;
  require_size("values", values.size(), parts.values.size());
  ModelReading reading = parts.before;
  auto override = reading.d.overrides.end() - static_cast<std::ptrdiff_t>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i, ++override) {
    const VariedValue& value = parts.values[i];
    YamlNode& place = parts.place(i);
    std::string& text = override->second;
    if (value.items.empty()) {
      text = fmt::format("{}", values[i]);
      place.kind = YamlNode::Kind::scalar;
      place.text = text;
      place.items.clear();
      place.entries.clear();
    } else {
      const auto index = static_cast<std::size_t>(values[i]);
      text = value.items.at(index);
      place = parts.items[i][index];
    }
    reading.d.text.append("# --set ").append(value.path).append("=").append(text).append("\n");
  }
  return located(parts.root, [&] {
    read_stages(parts.root, reading, parts.varying, reading_end());
    return Model(std::move(reading.d));
  });
}

}  // namespace torsor
