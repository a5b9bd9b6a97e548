# What `cmake --install` puts where: program, libraries, public headers, models, the page of reports, manual, completions,
# and what lets others find them (find_package, pkg-config).
include(CMakePackageConfigHelpers)

set(torsor_package ${CMAKE_INSTALL_LIBDIR}/cmake/torsor)
add_library(torsor_all INTERFACE)
add_library(torsor::torsor ALIAS torsor_all)
target_link_libraries(torsor_all INTERFACE torsor_core torsor_format torsor_result)
set_target_properties(torsor_all PROPERTIES EXPORT_NAME torsor)
set_target_properties(torsor_core torsor_format torsor_result PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} INSTALL_RPATH "$ORIGIN")
file(RELATIVE_PATH from_program_to_libraries /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
set_target_properties(torsor PROPERTIES INSTALL_RPATH "$ORIGIN/${from_program_to_libraries}")

install(TARGETS torsor)
install(TARGETS torsor_core torsor_format torsor_result torsor_all EXPORT torsor)
install(EXPORT torsor NAMESPACE torsor:: FILE torsor-targets.cmake DESTINATION ${torsor_package})
list(GET HDF5_C_LIBRARIES 0 hdf5_library)
cmake_path(GET hdf5_library PARENT_PATH hdf5_folder)
set(torsor_models ${CMAKE_INSTALL_DATADIR}/torsor/models)
configure_package_config_file(cmake/torsor-config.cmake.in ${CMAKE_BINARY_DIR}/torsor-config.cmake
  INSTALL_DESTINATION ${torsor_package} PATH_VARS torsor_models)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/torsor-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/torsor-config.cmake ${CMAKE_BINARY_DIR}/torsor-config-version.cmake
  DESTINATION ${torsor_package})

# Static archives do not say what they need themselves.
set(pkg_config_private "-lfmt -lyaml-cpp -lpugixml ${hdf5_library} -lz")
set(pkg_config_public)
if(NOT BUILD_SHARED_LIBS)
  set(pkg_config_public "${pkg_config_private}")
endif()
file(RELATIVE_PATH from_pkg_config_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/torsor.pc.in ${CMAKE_BINARY_DIR}/torsor.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/torsor.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Headers are gathered when they are installed, so that the list may change without a new configuration.
install(CODE "
  execute_process(COMMAND \"${PROJECT_SOURCE_DIR}/tools/public_headers\" --all OUTPUT_VARIABLE headers
    COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL \"[^\\n]+\" headers \"\${headers}\")
  foreach(header \${headers})
    cmake_path(GET header PARENT_PATH folder)
    file(INSTALL \"${PROJECT_SOURCE_DIR}/src/\${header}\"
      DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/\${folder}\")
  endforeach()")

install(DIRECTORY models/ DESTINATION ${torsor_models})
install(FILES ${report_page} DESTINATION ${CMAKE_INSTALL_DATADIR}/torsor OPTIONAL)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# torsor_bill_of_materials(TARGET FILE [NAME=VERSION..]): what is compiled or bundled into the program, with versions and licences, and
# what else is named.
function(torsor_bill_of_materials target file)
  cmake_path(GET file PARENT_PATH folder)
  add_custom_command(OUTPUT ${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${PROJECT_SOURCE_DIR}/tools/bill_of_materials ${file} ${PROJECT_VERSION}
      eigen=${Eigen3_VERSION} fmt=${fmt_VERSION} yaml-cpp=${yaml-cpp_VERSION} pugixml=${pugixml_VERSION} hdf5=${HDF5_VERSION}
      zlib=${ZLIB_VERSION_STRING} nlohmann-json=${nlohmann_json_VERSION} cli11=${CLI11_VERSION} ${ARGN}
    DEPENDS ${PROJECT_SOURCE_DIR}/tools/bill_of_materials ${PROJECT_SOURCE_DIR}/viewer/package-lock.json VERBATIM)
  add_custom_target(${target} ALL DEPENDS ${file})
endfunction()
set(bill_of_materials ${CMAKE_BINARY_DIR}/share/torsor/torsor.cdx.json)
torsor_bill_of_materials(bill_of_materials ${bill_of_materials})
install(FILES ${bill_of_materials} DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)

# The manual and the completions are told by the program itself.
set(told ${CMAKE_BINARY_DIR}/told)
add_custom_command(OUTPUT ${told}/torsor.1 ${told}/torsor.bash ${told}/_torsor ${told}/torsor.fish
  COMMAND ${CMAKE_COMMAND} -E make_directory ${told}
  COMMAND torsor manual > ${told}/torsor.1
  COMMAND torsor completion bash > ${told}/torsor.bash
  COMMAND torsor completion zsh > ${told}/_torsor
  COMMAND torsor completion fish > ${told}/torsor.fish
  DEPENDS torsor COMMENT "Writing the manual and the completions" VERBATIM)
add_custom_target(torsor_told ALL DEPENDS ${told}/torsor.1)
install(FILES ${told}/torsor.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${told}/torsor.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME torsor)
install(FILES ${told}/_torsor DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${told}/torsor.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
