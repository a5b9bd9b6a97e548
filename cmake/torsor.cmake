# One small library a folder of src/, one test program beside it.

add_library(torsor_options INTERFACE)
target_include_directories(torsor_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(torsor_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wno-psabi
  # GCC 12 sees overlaps in its own strings (its bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # Contraction to fused multiply-add and no errno in sqrt: faster, and no less exact.
  -ffp-contract=fast -fno-math-errno -fno-trapping-math)
# Eigen serves small matrices here: its own SIMD costs more to compile than it gives, and trips GCC 12's warnings.
target_compile_definitions(torsor_options INTERFACE EIGEN_DONT_VECTORIZE)
if(TORSOR_NATIVE)
  target_compile_options(torsor_options INTERFACE -march=native)
endif()
if(NOT TORSOR_SANITIZE)  # under sanitizers GCC 12 warns of its own library
  target_compile_options(torsor_options INTERFACE -Werror)
else()
  target_compile_options(torsor_options INTERFACE
    -fsanitize=${TORSOR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(torsor_options INTERFACE -fsanitize=${TORSOR_SANITIZE})
endif()

function(torsor_library name)
  cmake_parse_arguments(arg "" "" "DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cc)
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  if(sources)
    add_library(torsor_${name} STATIC ${sources})
    target_link_libraries(torsor_${name} PUBLIC torsor_options ${arg_DEPENDS})
  else()
    add_library(torsor_${name} INTERFACE)
    target_link_libraries(torsor_${name} INTERFACE torsor_options ${arg_DEPENDS})
  endif()
endfunction()

function(torsor_program name)
  cmake_parse_arguments(arg "" "FOLDER" "DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${arg_FOLDER}/*.cc)
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  if(sources)
    add_executable(${name} ${sources})
    target_link_libraries(${name} PRIVATE ${arg_DEPENDS})
  endif()
endfunction()

# All that the label `fast` runs: what the sanitizers build.
add_custom_target(fast_tests)

# Tests of src/FOLDER/*_test.cc; slow proofs live in verification/.
function(torsor_test folder)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*_test.cc)
  if(sources)
    add_executable(${folder}_test ${sources})
    target_link_libraries(${folder}_test PRIVATE torsor_${folder} torsor_testing GTest::gtest_main)
    add_dependencies(fast_tests ${folder}_test)
    gtest_discover_tests(${folder}_test DISCOVERY_TIMEOUT 60 PROPERTIES LABELS fast)
  endif()
endfunction()
