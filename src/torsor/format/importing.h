#pragma once
// An import under way: what its reader says of each thing that it meets.

#include <initializer_list>
#include <string>

#include "torsor/format/import_report.h"

namespace torsor {

class XmlElement;

class Importing {
 public:
  /// Throws ModelError on an unknown name among those allowed.
  Importing(const ImportOptions& options, ImportReport& report);

  const ImportOptions& options() const { return options_; }

  void read(const std::string& file);  ///< beside the one that was named
  void convert(const XmlElement& at, const std::string& what, const std::string& why = "");
  /// These two are errors where the options are strict.
  void approximate(const XmlElement& at, const std::string& what, const std::string& why);
  void leave_out(const XmlElement& at, const std::string& what, const std::string& why);
  /// What would change the motion without contact: an error unless `allowance` is allowed.
  void leave_out_of_motion(const XmlElement& at, const char* allowance, const std::string& what,
                           const std::string& why);
  /// What nobody knows: attributes and elements are left out, with their names.
  void leave_out_unknown(const XmlElement& at, std::initializer_list<const char*> attributes,
                         std::initializer_list<const char*> children);

 private:
  void add(Conversion how, const XmlElement& at, const std::string& what, const std::string& why);

  const ImportOptions& options_;
  ImportReport& report_;
};

}  // namespace torsor
