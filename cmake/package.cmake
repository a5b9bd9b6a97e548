# The Debian package that `make deb` makes by CPack: all that `cmake --install` puts into place, under /usr.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # `make deb` builds what is packed, and nothing else
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME torsor)
set(CPACK_PACKAGE_VENDOR "The Torsor authors")
set(CPACK_PACKAGE_CONTACT "The Torsor authors <torsor@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "structure-preserving multibody dynamics")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # what the program is linked to, by the packages of the machine that builds
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libeigen3-dev, libfmt-dev, libyaml-cpp-dev, libpugixml-dev, libhdf5-dev")  # to link the library
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Simulates rigid bodies, joints, closed loops, tendons, muscles and motors from a short
text file, and says of every result what was conserved and how well. Program, library, headers, models and the page of reports.")
include(CPack)
