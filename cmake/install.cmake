# SPDX-License-Identifier: Apache-2.0
# Installs the files that projects need: headers, libapus.a and libapus.so, the CMake package, pkg-config files (apus,
# apus-<component> and apus-shared), and the tool. The install component `sdk` contains all of these files.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(components)

set(APUS_COMPONENTS "" CACHE STRING "Components that an installation offers; empty: all")
if(NOT APUS_COMPONENTS)
  set(APUS_COMPONENTS ${apus_all_components})
endif()
apus_with_needs(APUS_COMPONENTS ${APUS_COMPONENTS})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/apus)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME sdk)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/apus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES $<TARGET_FILE:apus> DESTINATION ${CMAKE_INSTALL_LIBDIR})

# Installs libapus.so only with all components, since it depends on the libraries of all components.
set(APUS_SHARED_NAME "")
if(TARGET apus_shared)
  set(all_modules "")
  set(offered_modules "")
  foreach(component IN LISTS apus_all_components)
    list(APPEND all_modules ${apus_${component}_modules})
  endforeach()
  foreach(component IN LISTS APUS_COMPONENTS)
    list(APPEND offered_modules ${apus_${component}_modules})
  endforeach()
  list(REMOVE_ITEM all_modules ${offered_modules})
  if(NOT all_modules)
    set(APUS_SHARED_NAME libapus.so.${PROJECT_VERSION})
    install(TARGETS apus_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/apus-config.cmake.in apus-config.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/apus-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/apus-config.cmake
  ${PROJECT_BINARY_DIR}/apus-config-version.cmake
  ${PROJECT_SOURCE_DIR}/cmake/apus_application.cmake
  ${PROJECT_SOURCE_DIR}/cmake/apus-config-compiler.cmake
  ${PROJECT_SOURCE_DIR}/cmake/coroutine_probe.cpp
  ${PROJECT_SOURCE_DIR}/cmake/components.cmake
  ${PROJECT_SOURCE_DIR}/cmake/components.txt
  ${PROJECT_SOURCE_DIR}/cmake/doctest_cases.cmake
  ${PROJECT_SOURCE_DIR}/cmake/apus_hardening.cmake
  ${PROJECT_SOURCE_DIR}/cmake/apus_migrations.cmake
  ${PROJECT_SOURCE_DIR}/cmake/apus_modules.cmake
  ${PROJECT_SOURCE_DIR}/cmake/apus_programs.cmake
  ${PROJECT_SOURCE_DIR}/cmake/apus_precompile.cmake
  DESTINATION ${package_dir})

# A relative path, so that the .pc file is correct with `cmake --install --prefix` and with DESTDIR.
file(RELATIVE_PATH APUS_PREFIX_FROM_PC
  /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)

function(apus_pkg_config apus_pc_name apus_pc_summary)
  apus_with_needs(components ${ARGN})
  set(apus_pc_requires "")
  set(apus_pc_asks "")
  foreach(component IN LISTS components)
    list(APPEND apus_pc_requires ${apus_${component}_modules})
    list(APPEND apus_pc_asks ${apus_${component}_asks})
  endforeach()
  list(JOIN apus_pc_requires " " apus_pc_requires)
  set(apus_pc_library "-l:libapus.a -Wl,--as-needed -Wl,--gc-sections")
  if(apus_pc_name STREQUAL "apus-shared")
    set(apus_pc_requires "")
    set(apus_pc_asks "")
    set(apus_pc_library "-lapus -Wl,-rpath,\${libdir}")
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/apus.pc.in ${apus_pc_name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${apus_pc_name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

foreach(component IN LISTS APUS_COMPONENTS)
  apus_pkg_config(apus-${component} "${apus_${component}_summary}" ${component})
endforeach()
apus_pkg_config(apus "HTTP application platform for Linux" ${APUS_COMPONENTS})
if(APUS_SHARED_NAME)
  apus_pkg_config(apus-shared "HTTP application platform for Linux, shared library" ${APUS_COMPONENTS})
endif()

# Templates from which the tool creates projects.
if(APUS_TOOLKIT)
  install(TARGETS apus_tool DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(TARGETS apus_health DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/apus)
  install(PROGRAMS $<TARGET_FILE:bench_load> DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/apus RENAME apus-load)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/templates ${PROJECT_SOURCE_DIR}/libraries
    DESTINATION ${CMAKE_INSTALL_DATADIR}/apus)
  if(NOT CMAKE_CROSSCOMPILING)
    install(CODE [[set(apus_tool "$<TARGET_FILE:apus_tool>")]])
    install(CODE "set(apus_share ${CMAKE_INSTALL_DATADIR})\nset(apus_pages ${CMAKE_INSTALL_MANDIR}/man1)")
    install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/install_pages.cmake)
  endif()
endif()
