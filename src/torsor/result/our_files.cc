#include "torsor/result/our_files.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "torsor/base/error.h"
#include "torsor/result/hdf5_file.h"

namespace torsor {
namespace {

constexpr std::size_t kKindBytes = 1 << 16;  ///< of a file, in which its kind shows

bool is_our_hdf5(const std::string& path) {
  try {
    const Hdf5File file(path, MissingEnd::zeros);
    const auto has = [&](const std::string& name) {
      return file.find("text/" + name) != nullptr || file.root().attributes.contains(name);
    };
    const bool is_run = has("settings") && file.find("time") != nullptr;
    const bool is_sweep = has("sweep") && file.find("run") != nullptr;
    return has("model") && has("version") && (is_run || is_sweep);
  } catch (const ModelError&) {
    return false;
  }
}

/// Names in the first line; one that the head cuts off is left out. `whole` tells whether there is none.
std::vector<std::string> names_of(std::string_view head, bool& whole) {
  std::vector<std::string> names{""};
  bool quoted = false;
  whole = true;
  for (const char c : head) {
    if (c == '"') {
      quoted = !quoted;  // a doubled one opens again
    } else if (c == ',' && !quoted) {
      names.emplace_back();
    } else if (c == '\n' && !quoted) {
      return names;
    } else {
      names.back().push_back(c);
    }
  }
  whole = false;
  names.pop_back();
  return names;
}

template <std::size_t n>
bool all_in(const std::array<const char*, n>& groups, const std::vector<std::string>& names,
            std::size_t first, std::size_t last) {
  return std::all_of(names.begin() + std::ptrdiff_t(first), names.begin() + std::ptrdiff_t(last),
                     [&](const std::string& name) {
                       return std::any_of(groups.begin(), groups.end(),
                                          [&](const char* group) { return name.starts_with(group); });
                     });
}

/// The time and channels of a run, or a run's number, inputs, measures and ledger of a sweep.
bool is_our_csv(std::string_view head) {
  constexpr std::array kChannels{"energy.",    "work.",        "dissipated.",  "sampling.", "momentum.",
                                 "bodies.",    "constraints.", "joints.",      "points.",   "tendons.",
                                 "actuators.", "muscles.",     "controllers.", "solver.",   "couplings."};
  constexpr std::array kColumns{"inputs.", "measures.", "ledger."};
  bool whole = false;
  const std::vector<std::string> names = names_of(head, whole);
  if (names.size() < 2) return false;
  if (names.front() == "time") return all_in(kChannels, names, 1, names.size());
  const std::size_t last = names.size() - (whole ? 1 : 0);
  return names.front() == "run" && last > 1 && all_in(kColumns, names, 1, last) &&
         (!whole || names.back() == "failure");
}

/// Hears the keys of the outermost object, and ends the reading where they are no longer those of a kind of ours, or enough.
class KeyListener : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool is_ours() const { return found_; }

  bool key(string_t& name) override {
    if (depth_ != 1) return true;
    keys_.push_back(name);
    for (const std::vector<std::string>& kind : kinds()) {
      if (keys_.size() > kind.size() || !std::equal(keys_.begin(), keys_.end(), kind.begin())) continue;
      found_ = keys_.size() == kind.size();
      return !found_;
    }
    return false;
  }
  bool start_object(std::size_t) override { return enter(true); }
  bool start_array(std::size_t) override { return enter(false); }
  bool end_object() override { return --depth_ > 0; }
  bool end_array() override { return --depth_ > 0; }
  bool null() override { return depth_ > 0; }
  bool boolean(bool) override { return depth_ > 0; }
  bool number_integer(number_integer_t) override { return depth_ > 0; }
  bool number_unsigned(number_unsigned_t) override { return depth_ > 0; }
  bool number_float(number_float_t, const string_t&) override { return depth_ > 0; }
  bool string(string_t&) override { return depth_ > 0; }
  bool binary(binary_t&) override { return false; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }

 private:
  /// In their order: tables of `export`, files of `modes`, of `reproduce`.
  static const std::vector<std::vector<std::string>>& kinds() {
    static const std::vector<std::vector<std::string>> all{
        {"model", "version", "settings", "ledger", "rows", "channels"},
        {"model", "at", "time", "q", "symmetric", "steady", "modes"},
        {"machine", "threads", "seconds", "rows", "sources", "experiments"}};
    return all;
  }
  bool enter(bool object) { return ++depth_ > 1 || object; }

  long depth_ = 0;
  std::vector<std::string> keys_;
  bool found_ = false;
};

bool is_our_json(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  KeyListener listener;
  nlohmann::json::sax_parse(stream, &listener, nlohmann::json::input_format_t::json, false);
  return listener.is_ours();
}

}  // namespace

bool is_our_file(const std::string& path) {
  std::string head(kKindBytes, '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(stream.gcount()));
  const auto has = [&](const char* text) { return head.find(text) != std::string::npos; };
  if (head.starts_with("\x89HDF")) return is_our_hdf5(path);
  if (head.starts_with("{")) return is_our_json(path);
  if (head.starts_with("time,") || head.starts_with("run,")) return is_our_csv(head);
  if (head.starts_with("# Published experiments\n")) return has("recomputed by `torsor reproduce`");
  if (head.starts_with("MATLAB 5.0 MAT-file, written by Torsor")) return true;
  return has("<meta name=\"generator\" content=\"torsor");
}

}  // namespace torsor
