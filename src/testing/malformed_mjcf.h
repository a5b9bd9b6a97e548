#pragma once
// MJCF files with one fault each, and what is said of them.

#include <string>
#include <vector>

namespace torsor {

struct MalformedMjcf {
  const char* what;
  std::string text;
  int line;
  const char* part;  ///< of the message
};
std::vector<MalformedMjcf> malformed_mjcf();

}  // namespace torsor
