# SPDX-License-Identifier: Apache-2.0
# What a project that uses apus finds: headers, libapus.a, find_package(apus) and pkg-config's apus.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/apus)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/apus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS apus EXPORT apus_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT apus_targets NAMESPACE apus:: DESTINATION ${package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/apus-config.cmake.in apus-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/apus-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/apus-config.cmake
  ${PROJECT_BINARY_DIR}/apus-config-version.cmake
  ${PROJECT_SOURCE_DIR}/cmake/apus_application.cmake
  ${PROJECT_SOURCE_DIR}/cmake/doctest_cases.cmake
  ${PROJECT_SOURCE_DIR}/cmake/apus_modules.cmake
  DESTINATION ${package_dir})

# Relative, so that `cmake --install --prefix` and DESTDIR give a file that is right.
file(RELATIVE_PATH APUS_PREFIX_FROM_PC
  /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${PROJECT_SOURCE_DIR}/cmake/apus.pc.in apus.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/apus.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# What the tool makes projects of.
if(APUS_TOOLKIT)
  install(TARGETS apus_tool DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(TARGETS apus_health DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/apus)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/templates DESTINATION ${CMAKE_INSTALL_DATADIR}/apus)
endif()
