#pragma once
// Files that come with the program: the gallery of models, the page of reports.

#include <filesystem>
#include <functional>
#include <initializer_list>

namespace torsor {

/// The first of `places` under the folder of the program, or under one above it, that `holds` what is looked
/// for; empty where there is none. So a program is at home in an installed tree and in a build folder.
std::filesystem::path find_beside_program(std::initializer_list<const char*> places,
                                          const std::function<bool(const std::filesystem::path&)>& holds);

}  // namespace torsor
