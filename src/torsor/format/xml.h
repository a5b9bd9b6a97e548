#pragma once
// An XML text whose elements know their lines. The parser underneath (pugixml) is kept on a short lead: size, depth and number of
// elements are limited, and what robot descriptions do not need is refused: DOCTYPE, entities of one's own, attributes that
// stand twice, text around the root. Typed values are read from attributes; every complaint is a ModelError that names file, line, a
// path such as `robot/link[base]/inertial/mass@value`, what was expected and what was found.

#include <initializer_list>
#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <utility>
#include <vector>

namespace torsor {

inline constexpr int kDeepestXml = 256;  ///< elements within elements
inline constexpr int kMostXmlElements = 500'000;
inline constexpr int kMostXmlAttributes = 64;               ///< of one element
inline constexpr std::size_t kMostXmlNumbers = 16'000'000;  ///< in one attribute or text

/// The text of a file in memory, parsed. Elements point into it: it stays where it is as long as they are used.
class XmlDocument {
 public:
  /// Throws ModelError on everything listed above; the size is limited as that of model files (kLargestFile) unless said otherwise.
  XmlDocument(std::string text, std::string file_name, std::size_t largest = std::size_t{16} << 20);
  XmlDocument(const XmlDocument&) = delete;
  XmlDocument& operator=(const XmlDocument&) = delete;

  const std::string& file() const { return *file_; }
  const std::shared_ptr<const std::string>& shared_file() const { return file_; }
  const std::string& text() const { return text_; }
  int line_at(std::size_t offset) const;  ///< counted from 1
  pugi::xml_node root() const { return root_; }

 private:
  void check_tree() const;

  std::string text_;
  std::shared_ptr<const std::string> file_;
  std::vector<std::size_t> line_starts_;
  pugi::xml_document document_;
  pugi::xml_node root_;
};

/// An element of a document: cheap to copy.
class XmlElement {
 public:
  XmlElement(const XmlDocument& document, pugi::xml_node node) : document_(&document), node_(node) {}
  explicit XmlElement(const XmlDocument& document) : XmlElement(document, document.root()) {}

  std::string name() const { return node_.name(); }
  bool is(const char* name) const { return name == std::string(node_.name()); }
  int line() const;
  const std::string& file() const { return document_->file(); }
  const XmlDocument& document() const { return *document_; }
  pugi::xml_node node() const { return node_; }
  /// `robot/link[base]/visual`: names of the elements, with the attribute `name` of those that have one.
  std::string path() const;
  friend bool operator==(const XmlElement& a, const XmlElement& b) { return a.node_ == b.node_; }

  std::vector<XmlElement> children() const;  ///< elements, in file order
  std::vector<XmlElement> children(const char* name) const;
  std::optional<XmlElement> first(const char* name) const;
  std::optional<XmlElement> only(const char* name) const;  ///< a second one is refused
  XmlElement required(const char* name,
                      const std::string& what) const;  ///< the only one, which must be there

  std::vector<std::pair<std::string, std::string>> attributes() const;  ///< in file order
  bool has(const char* attribute) const { return !node_.attribute(attribute).empty(); }
  int line_of(const char* attribute) const;  ///< that of the element where it has no such attribute
  std::optional<std::string> text(const char* attribute) const;  ///< as it stands
  std::string text(const char* attribute, const std::string& otherwise) const;
  std::string required_text(const char* attribute, const std::string& what) const;  ///< not empty

  /// Finite numbers; what is no number is refused, and so are further words.
  std::optional<double> number(const char* attribute) const;
  double number(const char* attribute, double otherwise) const;
  double required_number(const char* attribute, const std::string& what) const;
  /// Exactly `count` numbers, or from `least` to `most`.
  std::optional<std::vector<double>> numbers(const char* attribute, std::size_t count) const;
  std::optional<std::vector<double>> numbers(const char* attribute, std::size_t least,
                                             std::size_t most) const;
  std::optional<long> integer(const char* attribute, long smallest, long largest) const;
  bool boolean(const char* attribute, bool otherwise) const;  ///< true or false, and no other word
  /// The index of one of `choices`.
  std::optional<std::size_t> choice(const char* attribute, const std::vector<std::string>& choices) const;

  /// Attributes and child elements that are none of these.
  std::vector<std::string> unknown_attributes(std::initializer_list<const char*> known) const;
  std::vector<XmlElement> unknown_children(std::initializer_list<const char*> known) const;

  [[noreturn]] void fail(const std::string& expected, const std::string& found) const;
  /// About an attribute, at its own line; without `found` its text is shown.
  [[noreturn]] void fail_at(const char* attribute, const std::string& expected) const;
  [[noreturn]] void fail_at(const char* attribute, const std::string& expected,
                            const std::string& found) const;

 private:
  const XmlDocument* document_;
  pugi::xml_node node_;
};

/// The finite numbers of a text parted by white space; nothing, with `fault` set, where a word is no such number.
std::vector<double> numbers_of(const char* text, std::string& fault);

}  // namespace torsor
