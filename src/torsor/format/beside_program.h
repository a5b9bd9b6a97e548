#pragma once
// Files that come with the program or the library: the gallery of models, the page of reports.

#include <filesystem>
#include <functional>
#include <initializer_list>

namespace torsor {

/// The first of `places` under the folder of the file that holds this code (a shared library, a module of an
/// interpreter), or under one above it, then likewise of the program, that `holds` what is looked for; empty
/// where there is none. So it is at home in an installed tree, in a build folder and in a package of Python.
std::filesystem::path find_beside_program(std::initializer_list<const char*> places,
                                          const std::function<bool(const std::filesystem::path&)>& holds);

}  // namespace torsor
