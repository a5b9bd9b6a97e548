# How parts of the house are built. What concerns only our own compilation (warnings, tuning, Eigen's definitions)
# is in torsor_flags, which stays private: whoever links the library gets none of it.

add_library(torsor_flags INTERFACE)
target_include_directories(torsor_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(torsor_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wno-psabi
  # GCC 12 sees overlaps and overruns in its own strings (its bugs 105651, 105329).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overread> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
  # Masks are combined alike whether they are of lanes or of a single number, which has a boolean.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-bitwise-instead-of-logical>
  # Position-independent code may be inlined all the same: nobody replaces our functions at run time.
  -fno-semantic-interposition
  # Contraction to fused multiply-add and no errno in sqrt: faster, and no less exact. Clang would contract in packs of four
  # and of eight in different places, and a lane's result depend on the width: it contracts what the language lets it.
  $<IF:$<CXX_COMPILER_ID:Clang,AppleClang>,-ffp-contract=on,-ffp-contract=fast> -fno-math-errno -fno-trapping-math)
# Eigen serves small matrices here: its own SIMD costs more to compile than it gives, and trips GCC 12's warnings.
target_compile_definitions(torsor_flags INTERFACE EIGEN_DONT_VECTORIZE)
if(TORSOR_NATIVE)
  target_compile_options(torsor_flags INTERFACE -march=native)
endif()
if(NOT TORSOR_SANITIZE)  # under sanitizers GCC 12 warns of its own library
  target_compile_options(torsor_flags INTERFACE -Werror)
else()
  target_compile_options(torsor_flags INTERFACE
    -fsanitize=${TORSOR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    # Eigen moves the null pointer of an empty matrix along when it takes a block of it, and never reads it.
    $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=pointer-overflow>)
  target_link_options(torsor_flags INTERFACE -fsanitize=${TORSOR_SANITIZE})
endif()

# What reads files of strangers is built with guards against overruns; all that is linked is bound at the start and then read-only.
# The core reads no files and has no guards: there they take 0.7 % of the time in the median of 13 gallery models, at most 2 %.
if(NOT TORSOR_SANITIZE)
  add_link_options(LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
endif()
function(torsor_guarded)
  if(NOT TORSOR_SANITIZE)
    foreach(target ${ARGN})
      target_compile_options(${target} PRIVATE -fstack-protector-strong $<$<CONFIG:Release>:-U_FORTIFY_SOURCE>
        $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=2>)
    endforeach()
  endif()
endfunction()

# Sources of folders of src/, without tests.
function(torsor_sources result)
  set(all)
  foreach(folder ${ARGN})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.cc)
    list(APPEND all ${sources})
  endforeach()
  list(FILTER all EXCLUDE REGEX "_test\\.cc$")
  set(${result} ${all} PARENT_SCOPE)
endfunction()

# torsor_library(NAME [STATIC] ROOMS folder.. [TOGETHER folder..] [PUBLIC dep..] [PRIVATE dep..] [PRECOMPILE header..])
# Rooms of TOGETHER are compiled as one unit each: they are many small files over the same headers, and not hot.
# Objects are the same for static and for shared libraries: with another BUILD_SHARED_LIBS the same folder only links anew.
function(torsor_library name)
  cmake_parse_arguments(arg "STATIC" "" "ROOMS;TOGETHER;PUBLIC;PRIVATE;PRECOMPILE" ${ARGN})
  torsor_sources(sources ${arg_ROOMS} ${arg_TOGETHER})
  set(kind)
  if(arg_STATIC)
    set(kind STATIC)
  endif()
  add_library(torsor_${name} ${kind} ${sources})
  add_library(torsor::${name} ALIAS torsor_${name})
  set_target_properties(torsor_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON DEFINE_SYMBOL "")
  torsor_compile_together(torsor_${name} ${arg_TOGETHER})
  target_compile_features(torsor_${name} PUBLIC cxx_std_20)
  target_include_directories(torsor_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(torsor_${name} PUBLIC ${arg_PUBLIC} PRIVATE $<BUILD_INTERFACE:torsor_flags> ${arg_PRIVATE})
  if(arg_PRECOMPILE)
    target_precompile_headers(torsor_${name} PRIVATE ${arg_PRECOMPILE})
  endif()
endfunction()

# Inline functions have a copy in every object that calls them, and the linker keeps the first. That of the core shall win: what
# runs once is compiled with -O1, and every program is to have the same numbers to the last bit.
function(torsor_core_first target)
  target_link_options(${target} PRIVATE LINKER:--whole-archive $<TARGET_FILE:torsor_core> LINKER:--no-whole-archive)
endfunction()

function(torsor_compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(folder ${ARGN})
    torsor_sources(sources ${folder})
    set_source_files_properties(${sources} PROPERTIES UNITY_GROUP ${folder})
  endforeach()
endfunction()

# All that the label `fast` runs: what the sanitizers build.
add_custom_target(fast_tests)

# torsor_test(NAME ROOM folder [LINK target..]): the tests beside the sources of a room.
function(torsor_test name)
  cmake_parse_arguments(arg "" "ROOM" "LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${arg_ROOM}/*_test.cc)
  if(sources)
    add_executable(${name}_test ${sources})
    target_link_libraries(${name}_test PRIVATE torsor_flags torsor_testing ${arg_LINK} fmt::fmt GTest::gtest_main)
    target_precompile_headers(${name}_test REUSE_FROM torsor_test_headers)
    add_dependencies(fast_tests ${name}_test)
    gtest_discover_tests(${name}_test DISCOVERY_TIMEOUT 60 PROPERTIES LABELS fast)
  endif()
endfunction()
