#include "torsor/format/yaml_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/model/check.h"

namespace torsor {
namespace {

/// `{mass: 2,5}` has the keys `mass` and `5`.
const char* comma_hint(const std::string& key) {
  const bool digits = !key.empty() && key.find_first_not_of("0123456789") == std::string::npos;
  return digits ? " (decimals are written with a point: 2.5)" : "";
}

}  // namespace

YamlPath YamlPath::with(const Step& step) const {
  YamlPath longer;
  if (count_ < steps_.size()) {
    longer.front_ = front_;
    longer.count_ = count_;
    std::copy_n(steps_.begin(), count_, longer.steps_.begin());
  } else {
    longer.front_ = text();
  }
  longer.steps_[longer.count_++] = step;
  return longer;
}

std::string YamlPath::text() const {
  std::string whole = front_;
  for (std::size_t i = 0; i < count_; ++i) {
    const auto& [key, index] = steps_[i];
    if (!key) {
      whole.append("[").append(std::to_string(index)).append("]");
      continue;
    }
    if (!whole.empty()) whole.push_back('.');
    whole.append(*key);
  }
  return whole;
}

void YamlView::fail(const std::string& expected) const { fail(expected, description()); }

void YamlView::fail(const std::string& expected, const std::string& found) const {
  throw ModelError(path_.empty() ? kDocument : path(), expected, found, *node_->file, node_->line);
}

std::string YamlView::description() const {
  switch (node_->kind) {
    case YamlNode::Kind::null:
      return "nothing";
    case YamlNode::Kind::scalar:
      return in_quotes(node_->text);
    case YamlNode::Kind::sequence:
      return fmt::format("a list of {}", node_->items.size());
    case YamlNode::Kind::map:
      break;
  }
  std::vector<std::string> keys;
  for (const YamlEntry& entry : node_->entries) keys.push_back(entry.key);
  return keys.empty() ? "an empty mapping" : fmt::format("a mapping of {}", listed(keys));
}

double YamlView::number(const Quantity& quantity) const {
  if (!is_scalar()) fail(described(quantity));
  const ParsedQuantity parsed = parse_quantity(node_->text, quantity);
  if (!parsed.fault.empty()) fail(described(quantity), parsed.fault);
  return parsed.value;
}

long YamlView::integer(long smallest, long largest) const {
  const auto refuse = [&] { fail(fmt::format("a whole number from {} to {}", smallest, largest)); };
  if (!is_scalar()) refuse();
  const ParsedInteger parsed = parse_integer(node_->text);
  if (!parsed.fault.empty() || parsed.value < smallest || parsed.value > largest) refuse();
  return parsed.value;
}

bool YamlView::boolean() const {
  if (is_scalar() && (node_->text == "false" || node_->text == "true")) return node_->text == "true";
  return choice<bool>({{"false", false}, {"true", true}});
}

const std::string& YamlView::text() const {
  if (!is_scalar() || node_->text.empty()) fail("a text");
  return node_->text;
}

std::size_t YamlView::choice(const std::vector<std::string>& choices) const {
  const auto expected = [&] {
    return fmt::format("{}{}", choices.size() > 1 ? "one of " : "", listed(choices));
  };
  if (!is_scalar()) fail(expected());
  const auto found = std::find(choices.begin(), choices.end(), node_->text);
  if (found == choices.end()) fail(expected(), did_you_mean(node_->text, choices));
  return static_cast<std::size_t>(found - choices.begin());
}

std::vector<YamlView> YamlView::list() const {
  if (!is_list()) fail("a list");
  std::vector<YamlView> views;
  views.reserve(node_->items.size());
  for (std::size_t i = 0; i < node_->items.size(); ++i)
    views.push_back(YamlView(node_->items[i], path_.below(i)));
  return views;
}

std::vector<YamlView> YamlView::list(std::size_t length, const std::string& what) const {
  if (!is_list() || node_->items.size() != length) fail(fmt::format("a list of {} {}", length, what));
  return list();
}

std::vector<double> YamlView::numbers(std::size_t length, const Quantity& quantity) const {
  if (!is_list() || node_->items.size() != length)
    list(length, *quantity.unit ? fmt::format("values [{}]", quantity.unit) : "numbers");
  std::vector<double> values;
  values.reserve(length);
  for (const YamlView& item : list()) values.push_back(item.number(quantity));
  return values;
}

void YamlView::expect_map() const {
  if (!is_map()) fail("a mapping");
}

YamlView YamlView::child(const YamlEntry& entry) const { return {entry.value, path_.below(entry.key)}; }

std::vector<std::pair<std::string, YamlView>> YamlView::keyed() const {
  expect_map();
  std::vector<std::pair<std::string, YamlView>> views;
  views.reserve(node_->entries.size());
  for (const YamlEntry& entry : node_->entries) views.emplace_back(entry.key, child(entry));
  return views;
}

std::vector<std::pair<std::string, YamlView>> YamlView::named() const {
  expect_map();
  for (const YamlEntry& entry : node_->entries) {
    if (!is_valid_name(entry.key))
      throw ModelError(child(entry).path(), kNameRule, in_quotes(entry.key), *entry.value.file, entry.line);
  }
  return keyed();
}

void YamlView::refuse_key(const YamlEntry& entry, const std::vector<std::string>& keys) const {
  throw ModelError(child(entry).path(), "one of the keys " + listed(keys),
                   "the unknown key " + did_you_mean(entry.key, keys) + comma_hint(entry.key),
                   *entry.value.file, entry.line);
}

void YamlView::allow_keys(const std::vector<std::string>& keys) const {
  expect_map();
  for (const YamlEntry& entry : node_->entries)
    if (std::find(keys.begin(), keys.end(), entry.key) == keys.end()) refuse_key(entry, keys);
}

void YamlView::allow_keys(std::initializer_list<std::string_view> keys) const {
  expect_map();
  for (const YamlEntry& entry : node_->entries)
    if (std::find(keys.begin(), keys.end(), entry.key) == keys.end())
      refuse_key(entry, {keys.begin(), keys.end()});
}

std::optional<YamlView> YamlView::find(std::string_view key) const {
  const YamlEntry* entry = node_->find(key);
  if (!entry) return std::nullopt;
  return child(*entry);
}

YamlView YamlView::at(std::string_view key, std::string_view what) const {
  expect_map();
  if (auto view = find(key)) return *std::move(view);
  const std::string missing(key);
  throw ModelError(path_.below(missing).text(), std::string(what), "no such key", *node_->file, node_->line);
}

}  // namespace torsor
