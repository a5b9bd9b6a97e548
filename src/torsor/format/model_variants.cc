#include "torsor/format/model_variants.h"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/base/error.h"
#include "torsor/format/model_reader_parts.h"

namespace torsor {

struct ModelVariants::Parts {
  ModelSource source;
  std::vector<VariedValue> values;
  std::vector<std::vector<YamlNode>> items;  ///< of each value
  YamlNode root;
  std::size_t stage = 0;  ///< the first that a value changes
  ModelReading before;    ///< all that no value changes
};

ModelVariants::ModelVariants(const ModelSource& source, std::vector<VariedValue> values)
    : parts_(std::make_unique<Parts>(
          Parts{source, std::move(values), {}, source_tree(source), reading_stages(), {}})) {
  for (const VariedValue& value : parts_->values) {
    const std::string origin = "vary." + value.path;
    override_place(parts_->root, value.path, origin);
    std::vector<YamlNode>& items = parts_->items.emplace_back();
    for (const std::string& item : value.items) items.push_back(override_value(item, origin));
    parts_->stage = std::min(parts_->stage, reading_stage(value.path));
  }
  parts_->before = begun_reading(source);
  located(parts_->root, [&] { read_stages(parts_->root, parts_->before, 0, parts_->stage); });
}
ModelVariants::ModelVariants(const ModelVariants& other) : parts_(std::make_unique<Parts>(*other.parts_)) {}
ModelVariants::~ModelVariants() = default;

Model ModelVariants::model(std::span<const double> values) {
  Parts& parts = *parts_;
  require_size("values", values.size(), parts.values.size());
  ModelReading reading = parts.before;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const VariedValue& value = parts.values[i];
    YamlNode& place = override_place(parts.root, value.path, "vary." + value.path);
    std::string text;
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
    reading.d.text.append(i == 0 && !reading.d.text.ends_with('\n') ? "\n" : "");
    reading.d.text.append("# --set ").append(value.path).append("=").append(text).append("\n");
    reading.d.overrides.emplace_back(value.path, text);
  }
  return located(parts.root, [&] {
    read_stages(parts.root, reading, parts.stage, reading_stages());
    return Model(std::move(reading.d));
  });
}

}  // namespace torsor
