#include "torsor/format/xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <set>
#include <string_view>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/format/yaml_text.h"
#include "torsor/format/yaml_tree.h"

namespace torsor {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

bool is_blank(char c) { return kBlank.find(c) != std::string_view::npos; }

/// The entities that XML has without any declaration.
bool is_plain_entity(std::string_view rest) {
  for (const std::string_view known : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"})
    if (rest.starts_with(known)) return true;
  if (!rest.starts_with("&#")) return false;
  const bool hex = rest.size() > 2 && rest[2] == 'x';
  const std::size_t begin = hex ? 3 : 2;
  const std::size_t end = rest.find_first_not_of(hex ? "0123456789abcdefABCDEF" : "0123456789", begin);
  return end != std::string_view::npos && end > begin && rest[end] == ';';
}

/// What the parser would pass over in silence, found before it starts: DOCTYPE, entities, too many elements.
struct Scan {
  const std::string& text;
  std::size_t at = 0;

  std::string_view rest() const { return std::string_view(text).substr(at); }
  void skip_past(std::string_view end) {
    const std::size_t found = text.find(end, at);
    at = found == std::string::npos ? text.size() : found + end.size();
  }
};

}  // namespace

std::vector<double> numbers_of(const char* text, std::string& fault) {
  std::vector<double> values;
  const char* const end = text + std::strlen(text);
  for (const char* at = text; fault.empty();) {
    while (at < end && is_blank(*at)) ++at;
    if (at == end) break;
    const char* stop = at;
    while (stop < end && !is_blank(*stop)) ++stop;
    double value = 0;
    const char* const digits = *at == '+' && stop - at > 1 && at[1] != '-' ? at + 1 : at;
    const auto [read, error] = std::from_chars(digits, stop, value);
    if (error != std::errc() || read != stop || !std::isfinite(value)) fault = std::string(at, stop);
    if (values.size() >= kMostXmlNumbers) fault = fmt::format("more than {} numbers", kMostXmlNumbers);
    values.push_back(value);
    at = stop;
  }
  if (!fault.empty()) values.clear();
  return values;
}

XmlDocument::XmlDocument(std::string text, std::string file_name, std::size_t largest)
    : text_(std::move(text)), file_(std::make_shared<const std::string>(std::move(file_name))) {
  check_text(text_, *file_, largest);
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') line_starts_.push_back(i + 1);

  const auto refuse = [&](std::size_t at, const std::string& expected, const std::string& found) {
    throw ModelError(kDocument, expected, found, *file_, line_at(at));
  };
  int tags = 0;
  for (Scan scan{text_}; scan.at < text_.size();) {
    const std::string_view rest = scan.rest();
    if (rest.starts_with("<!--")) {
      scan.skip_past("-->");
    } else if (rest.starts_with("<![CDATA[")) {
      scan.skip_past("]]>");
    } else if (rest.starts_with("<?")) {
      scan.skip_past("?>");
    } else if (rest.starts_with("<!")) {
      refuse(scan.at, "XML without DOCTYPE and entities of its own",
             in_quotes(std::string(rest.substr(0, rest.find_first_of(" \t\r\n>")))));
    } else if (rest[0] == '&' && !is_plain_entity(rest)) {
      refuse(
          scan.at, "only the entities &amp; &lt; &gt; &quot; &apos; and numbers of characters",
          in_quotes(std::string(rest.substr(0, std::min<std::size_t>(rest.find_first_of("; \n\"'<"), 24)))));
    } else {
      if (rest[0] == '<' && ++tags > 2 * kMostXmlElements)
        refuse(scan.at, fmt::format("at most {} elements", kMostXmlElements), "more");
      do ++scan.at;
      while (scan.at < text_.size() && text_[scan.at] != '<' && text_[scan.at] != '&');
    }
  }

  const pugi::xml_parse_result result =
      document_.load_buffer(text_.data(), text_.size(),
                            pugi::parse_escapes | pugi::parse_eol | pugi::parse_wconv_attribute |
                                pugi::parse_cdata | pugi::parse_fragment,
                            pugi::encoding_utf8);
  const auto offset = [&](pugi::xml_node node) {
    return std::clamp<std::ptrdiff_t>(node.offset_debug(), 0, static_cast<std::ptrdiff_t>(text_.size()));
  };
  if (!result)
    refuse(std::min<std::size_t>(result.offset, text_.size()), "well-formed XML", result.description());
  for (const pugi::xml_node node : document_.children()) {
    if (node.type() != pugi::node_element) {
      refuse(offset(node), "one root element and nothing beside it", "text outside of it");
    } else if (root_) {
      refuse(offset(node), "one root element", fmt::format("a second one, {}", in_quotes(node.name())));
    } else {
      root_ = node;
    }
  }
  if (!root_) refuse(0, "XML with a root element", "none");
  check_tree();
}

int XmlDocument::line_at(std::size_t offset) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return static_cast<int>(after - line_starts_.begin());
}

/// Depth, and attributes that stand twice. Goes without recursion: the depth is what is in question.
void XmlDocument::check_tree() const {
  int depth = 1;
  for (pugi::xml_node node = root_; node;) {
    if (node.type() == pugi::node_element) {
      const XmlElement element(*this, node);
      if (depth > kDeepestXml) element.fail(fmt::format("at most {} levels", kDeepestXml), "more");
      std::set<std::string_view> names;
      for (const pugi::xml_attribute attribute : node.attributes()) {
        if (!names.insert(attribute.name()).second)
          element.fail("every attribute once", fmt::format("{} twice", in_quotes(attribute.name())));
      }
      if (names.size() > static_cast<std::size_t>(kMostXmlAttributes))
        element.fail(fmt::format("at most {} attributes", kMostXmlAttributes),
                     fmt::format("{}", names.size()));
    }
    if (const pugi::xml_node child = node.first_child()) {
      node = child;
      ++depth;
      continue;
    }
    while (node && node != root_ && !node.next_sibling()) {
      node = node.parent();
      --depth;
    }
    node = node == root_ ? pugi::xml_node() : node.next_sibling();
  }
}

int XmlElement::line() const {
  return document_->line_at(static_cast<std::size_t>(std::max<std::ptrdiff_t>(node_.offset_debug(), 0)));
}

std::string XmlElement::path() const {
  std::vector<std::string> steps;
  for (pugi::xml_node node = node_; node && node.type() == pugi::node_element; node = node.parent()) {
    const std::string named = node.attribute("name").value();
    steps.push_back(cut_at(node.name(), 64) + (named.empty() ? "" : "[" + cut_at(named, 64) + "]"));
  }
  constexpr std::size_t kMostSteps = 8;  // of a deep tree the innermost ones say where it is
  std::string path = steps.size() > kMostSteps ? "..." : "";
  for (std::size_t i = std::min(steps.size(), kMostSteps); i-- > 0;)
    path += (path.empty() ? "" : "/") + steps[i];
  for (char& c : path)
    if (static_cast<unsigned char>(c) < 0x20) c = '?';
  return path;
}

std::vector<XmlElement> XmlElement::children() const {
  std::vector<XmlElement> all;
  for (const pugi::xml_node child : node_.children())
    if (child.type() == pugi::node_element) all.emplace_back(*document_, child);
  return all;
}

std::vector<XmlElement> XmlElement::children(const char* name) const {
  std::vector<XmlElement> all;
  for (const pugi::xml_node child : node_.children(name)) all.emplace_back(*document_, child);
  return all;
}

std::optional<XmlElement> XmlElement::first(const char* name) const {
  const pugi::xml_node child = node_.child(name);
  return child ? std::optional(XmlElement(*document_, child)) : std::nullopt;
}

std::optional<XmlElement> XmlElement::only(const char* name) const {
  const std::optional<XmlElement> one = first(name);
  if (one) {
    if (const pugi::xml_node second = one->node_.next_sibling(name))
      XmlElement(*document_, second)
          .fail(fmt::format("one <{}>", name),
                fmt::format("a second one (the first is at line {})", one->line()));
  }
  return one;
}

XmlElement XmlElement::required(const char* name, const std::string& what) const {
  const std::optional<XmlElement> one = only(name);
  if (!one) fail(fmt::format("<{}>, {}", name, what), "none");
  return *one;
}

std::vector<std::pair<std::string, std::string>> XmlElement::attributes() const {
  std::vector<std::pair<std::string, std::string>> all;
  for (const pugi::xml_attribute attribute : node_.attributes())
    all.emplace_back(attribute.name(), attribute.value());
  return all;
}

/// The parser keeps no places of attributes: the tag is gone through once more.
int XmlElement::line_of(const char* attribute) const {
  const std::string& text = document_->text();
  std::size_t at =
      static_cast<std::size_t>(std::max<std::ptrdiff_t>(node_.offset_debug(), 0)) + std::strlen(node_.name());
  while (at < text.size() && text[at] != '>') {
    at = text.find_first_not_of(" \t\r\n/", at);
    if (at == std::string::npos) break;
    const std::size_t end = std::min(text.find_first_of("= \t\r\n>", at), text.size());
    if (text.compare(at, end - at, attribute) == 0) return document_->line_at(at);
    const std::size_t quote = text.find_first_of("\"'", end);
    const std::size_t close = quote == std::string::npos ? quote : text.find(text[quote], quote + 1);
    if (close == std::string::npos) break;
    at = close + 1;
  }
  return line();
}

std::optional<std::string> XmlElement::text(const char* attribute) const {
  const pugi::xml_attribute found = node_.attribute(attribute);
  return found ? std::optional<std::string>(found.value()) : std::nullopt;
}

std::string XmlElement::text(const char* attribute, const std::string& otherwise) const {
  return text(attribute).value_or(otherwise);
}

std::string XmlElement::required_text(const char* attribute, const std::string& what) const {
  const std::optional<std::string> found = text(attribute);
  if (!found) fail(fmt::format("the attribute {}, {}", attribute, what), "none");
  if (found->find_first_not_of(kBlank) == std::string::npos) fail_at(attribute, what, "nothing");
  return *found;
}

std::optional<std::vector<double>> XmlElement::numbers(const char* attribute, std::size_t least,
                                                       std::size_t most) const {
  const pugi::xml_attribute found = node_.attribute(attribute);
  if (!found) return std::nullopt;
  const auto expected = [&] {
    return most == 1       ? "a number"
           : least == most ? fmt::format("{} numbers", least)
                           : fmt::format("{} to {} numbers", least, most);
  };
  std::string fault;
  std::vector<double> values = numbers_of(found.value(), fault);
  if (!fault.empty()) fail_at(attribute, expected(), in_quotes(fault));
  if (values.size() < least || values.size() > most)
    fail_at(attribute, expected(), values.empty() ? "nothing" : fmt::format("{} of them", values.size()));
  return values;
}

std::optional<std::vector<double>> XmlElement::numbers(const char* attribute, std::size_t count) const {
  return numbers(attribute, count, count);
}

std::optional<double> XmlElement::number(const char* attribute) const {
  const auto one = numbers(attribute, 1, 1);
  return one ? std::optional(one->front()) : std::nullopt;
}

double XmlElement::number(const char* attribute, double otherwise) const {
  return number(attribute).value_or(otherwise);
}

double XmlElement::required_number(const char* attribute, const std::string& what) const {
  const std::optional<double> found = number(attribute);
  if (!found) fail(fmt::format("the attribute {}, {}", attribute, what), "none");
  return *found;
}

std::optional<long> XmlElement::integer(const char* attribute, long smallest, long largest) const {
  const std::optional<double> found = number(attribute);
  if (!found) return std::nullopt;
  if (!(*found == std::floor(*found) && *found >= static_cast<double>(smallest) &&
        *found <= static_cast<double>(largest)))
    fail_at(attribute, fmt::format("a whole number from {} to {}", smallest, largest));
  return static_cast<long>(*found);
}

bool XmlElement::boolean(const char* attribute, bool otherwise) const {
  const std::optional<std::size_t> found = choice(attribute, {"false", "true"});
  return found ? *found == 1 : otherwise;
}

std::optional<std::size_t> XmlElement::choice(const char* attribute,
                                              const std::vector<std::string>& choices) const {
  const std::optional<std::string> found = text(attribute);
  if (!found) return std::nullopt;
  const auto place = std::find(choices.begin(), choices.end(), *found);
  if (place == choices.end())
    fail_at(attribute, fmt::format("{}{}", choices.size() > 1 ? "one of " : "", listed(choices)),
            did_you_mean(*found, choices));
  return static_cast<std::size_t>(place - choices.begin());
}

std::vector<std::string> XmlElement::unknown_attributes(std::initializer_list<const char*> known) const {
  std::vector<std::string> all;
  for (const pugi::xml_attribute attribute : node_.attributes()) {
    const auto is_it = [&](const char* name) { return std::strcmp(name, attribute.name()) == 0; };
    const bool is_space =
        std::string_view(attribute.name()).starts_with("xmlns");  // of names: it says nothing itself
    if (!is_space && std::none_of(known.begin(), known.end(), is_it)) all.emplace_back(attribute.name());
  }
  return all;
}

std::vector<XmlElement> XmlElement::unknown_children(std::initializer_list<const char*> known) const {
  std::vector<XmlElement> all;
  for (const XmlElement& child : children()) {
    const auto is_it = [&](const char* name) { return child.is(name); };
    if (std::none_of(known.begin(), known.end(), is_it)) all.push_back(child);
  }
  return all;
}

void XmlElement::fail(const std::string& expected, const std::string& found) const {
  throw ModelError(path(), expected, found, file(), line());
}

void XmlElement::fail_at(const char* attribute, const std::string& expected) const {
  fail_at(attribute, expected, in_quotes(text(attribute, "")));
}

void XmlElement::fail_at(const char* attribute, const std::string& expected, const std::string& found) const {
  throw ModelError(path() + "@" + attribute, expected, found, file(), line_of(attribute));
}

}  // namespace torsor
