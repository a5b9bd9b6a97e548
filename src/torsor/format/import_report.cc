#include "torsor/format/importing.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/format/xml.h"

namespace torsor {
namespace {

constexpr std::size_t kMostLines = 6;  ///< named in a line of the table

std::vector<std::string> allowance_names() {
  std::vector<std::string> names;
  for (const ImportAllowance& one : import_allowances()) names.emplace_back(one.name);
  return names;
}

}  // namespace

const std::vector<ImportAllowance>& import_allowances() {
  static const std::vector<ImportAllowance> all{
      {"mimic", "URDF: a joint that copies one that is missing or does not move moves on its own"},
      {"fluid", "MJCF: density and viscosity of what bodies move through"},
      {"actuators", "MJCF: actuators whose force is no program of time and no spring"},
      {"muscles",
       "MJCF: muscles without lengthrange or force, on ball joints, sites, geared spatial tendons"},
      {"polynomials", "MJCF: coefficients of stiffness, damping and couplings after the linear one"},
      {"plasticity", "MJCF: springyield"},
      {"inside-wrapping", "MJCF: tendons on the inside of a geom"},
      {"locked-joints", "MJCF: equalities of one coordinate"},
      {"tendon-equality", "MJCF: equalities of spatial tendons"},
      {"tendon-armature", "MJCF: inertia of tendons"},
      {"free-stiffness", "MJCF: springs of free joints"},
      {"ball-friction", "MJCF: friction of ball and free joints"},
      {"elements", "MJCF: flexes, composites, attached models, plugins"},
  };
  return all;
}

const char* name_of(Conversion how) {
  constexpr const char* kNames[] = {"converted", "approximated", "left out"};
  return kNames[static_cast<int>(how)];
}

Importing::Importing(const ImportOptions& options, ImportReport& report)
    : options_(options), report_(report) {
  const std::vector<std::string> names = allowance_names();
  for (const std::string& allowed : options.allowed) {
    if (std::find(names.begin(), names.end(), allowed) == names.end())
      throw ModelError("--allow", "one of " + listed(names), did_you_mean(allowed, names));
  }
}

void Importing::add(Conversion how, const XmlElement& at, const std::string& what, const std::string& why) {
  report_.rows.push_back({how, at.file(), at.line(), what, why});
}

void Importing::read(const std::string& file) { report_.files.push_back(file); }

void Importing::convert(const XmlElement& at, const std::string& what, const std::string& why) {
  add(Conversion::converted, at, what, why);
}

void Importing::approximate(const XmlElement& at, const std::string& what, const std::string& why) {
  if (options_.strict) at.fail("what can be converted as it is (--strict)", what + ": " + why);
  add(Conversion::approximated, at, what, why);
}

void Importing::leave_out(const XmlElement& at, const std::string& what, const std::string& why) {
  if (options_.strict) at.fail("what can be converted (--strict)", what + ": " + why);
  add(Conversion::left_out, at, what, why);
}

void Importing::leave_out_of_motion(const XmlElement& at, const char* allowance, const std::string& what,
                                    const std::string& why) {
  const auto& allowed = options_.allowed;
  if (std::find(allowed.begin(), allowed.end(), allowance) == allowed.end())
    at.fail(fmt::format("what can be converted, or `--allow {}` to leave it out although the motion changes",
                        allowance),
            what + ": " + why);
  leave_out(at, what, why);
}

void Importing::leave_out_unknown(const XmlElement& at, std::initializer_list<const char*> attributes,
                                  std::initializer_list<const char*> children) {
  for (const std::string& name : at.unknown_attributes(attributes))
    leave_out(at, fmt::format("attribute {} of <{}>", in_quotes(name), at.name()), "unknown");
  for (const XmlElement& child : at.unknown_children(children))
    leave_out(child, fmt::format("<{}> in <{}>", cut_at(child.name(), 64), at.name()), "unknown");
}

std::string import_table(const ImportReport& report) {
  struct Line {
    int count = 0;
    std::vector<std::string> lines;
  };
  // In the order of the kinds, then in that of the file.
  std::map<std::tuple<int, std::string, std::string>, std::size_t> index;
  std::vector<std::pair<const ImportRow*, Line>> grouped;
  for (const ImportRow& row : report.rows) {
    const auto [place, is_new] =
        index.emplace(std::tuple(static_cast<int>(row.how), row.what, row.why), grouped.size());
    if (is_new) grouped.push_back({&row, {}});
    Line& line = grouped[place->second].second;
    ++line.count;
    if (line.lines.size() < kMostLines) {
      const bool elsewhere = row.file != report.rows.front().file;
      line.lines.push_back(
          elsewhere ? fmt::format("{}:{}", std::filesystem::path(row.file).filename().string(), row.line)
                    : fmt::format("{}", row.line));
    }
  }
  std::stable_sort(grouped.begin(), grouped.end(),
                   [](const auto& a, const auto& b) { return a.first->how < b.first->how; });
  std::string text = fmt::format("read from {}\n", report.format);
  std::size_t width = 0;
  for (const auto& [row, line] : grouped) width = std::max(width, row->what.size());
  width = std::min<std::size_t>(width, 44);
  const char* last = "";
  for (const auto& [row, line] : grouped) {
    const char* how = name_of(row->how);
    std::string lines;
    for (const std::string& one : line.lines) lines += (lines.empty() ? "" : ", ") + one;
    if (line.count > static_cast<int>(line.lines.size()))
      lines += fmt::format(" and {} more", line.count - line.lines.size());
    text += fmt::format("  {:<13}{:>5}  {:<{}}  {}line{} {}\n", how == last ? "" : how, line.count, row->what,
                        width, row->why.empty() ? "" : row->why + "; ", line.count == 1 ? "" : "s", lines);
    last = how;
  }
  return text;
}

}  // namespace torsor
