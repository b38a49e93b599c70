# SPDX-License-Identifier: Apache-2.0

# Precompiles the headers of Apus and of the standard library that the project's sources include, once for all of its
# targets, since parsing them takes most of a source's compile time. Disabled for Release, and by -DAPUS_PRECOMPILE=OFF;
# each source must then include all headers that it uses. APUS_PRECOMPILED_HEADERS stores the list of the first
# configuration, since a new list rebuilds everything. Installed with the library.

# Makes a target use the precompiled header. CMakeLists.txt may still change the properties of the target afterwards.
function(_apus_precompile target)
  set(wanted ON)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    set(wanted OFF)
  endif()
  option(APUS_PRECOMPILE "Precompile the headers of Apus and of the standard library" ${wanted})
  if(NOT APUS_PRECOMPILE)
    return()
  endif()
  get_property(targets DIRECTORY PROPERTY APUS_PRECOMPILED)
  if(NOT targets)
    cmake_language(DEFER CALL _apus_precompile_all)
  endif()
  set_property(DIRECTORY APPEND PROPERTY APUS_PRECOMPILED ${target})
endfunction()

# Collects the names in `#include <...>` of these files that belong to Apus or to the standard library, whose headers do
# not depend on the order of includes.
function(_apus_included_names out)
  set(names "")
  foreach(file IN LISTS ARGN)
    file(STRINGS ${file} lines REGEX "^[ \t]*#[ \t]*include[ \t]*<(apus/[a-z0-9_]+\\.hpp|[a-z_]+)>")
    list(TRANSFORM lines REPLACE "^[^<]*<([^>]*)>.*$" "\\1")
    list(APPEND names ${lines})
  endforeach()
  # only tests include apus/test.hpp; cassert depends on NDEBUG at each inclusion
  list(REMOVE_ITEM names apus/test.hpp cassert)
  list(APPEND names apus/app.hpp apus/json.hpp)  # headers that most projects need
  list(REMOVE_DUPLICATES names)
  list(SORT names)
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

# Sets OUT to the compile settings of a target, except settings that all targets of a project share. Targets can share a
# precompiled header only if these settings are equal.
function(_apus_way_of_compiling target out)
  set(way "")
  foreach(property COMPILE_OPTIONS COMPILE_DEFINITIONS COMPILE_FLAGS COMPILE_FEATURES CXX_STANDARD CXX_EXTENSIONS)
    get_target_property(value ${target} ${property})
    string(APPEND way "${property}=${value}|")
  endforeach()
  get_target_property(links ${target} LINK_LIBRARIES)
  get_property(own DIRECTORY PROPERTY APUS_PRECOMPILED)
  list(REMOVE_ITEM links ${own} ${apus_dependencies} apus::apus apus_project_flags doctest::doctest module_test_main)
  list(FILTER links EXCLUDE REGEX "^module_|NOTFOUND$|apus_project_flags")
  set(${out} "${way}${links}" PARENT_SCOPE)
endfunction()

function(_apus_precompile_all)
  get_property(targets DIRECTORY PROPERTY APUS_PRECOMPILED)
  if(NOT APUS_PRECOMPILED_HEADERS)
    set(here ${CMAKE_CURRENT_SOURCE_DIR})
    file(GLOB_RECURSE files ${here}/src/*.[ch]pp ${here}/include/*.hpp ${here}/modules/*.[ch]pp)
    _apus_included_names(names ${files})
    set(APUS_PRECOMPILED_HEADERS "${names}" CACHE STRING "Headers that are precompiled" FORCE)
  endif()
  set(text "")
  foreach(name IN LISTS APUS_PRECOMPILED_HEADERS)
    string(APPEND text "#if __has_include(<${name}>)\n#include <${name}>\n#endif\n")
  endforeach()
  set(header ${CMAKE_CURRENT_BINARY_DIR}/precompiled.hpp)
  file(CONFIGURE OUTPUT ${header} CONTENT "${text}")
  file(CONFIGURE OUTPUT precompiled.cpp CONTENT "")
  _apus_dependencies()
  add_library(apus_precompiled OBJECT ${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp)
  target_link_libraries(apus_precompiled PRIVATE apus::apus apus_project_flags ${apus_dependencies})
  target_precompile_headers(apus_precompiled PRIVATE ${header})
  _apus_way_of_compiling(apus_precompiled way)
  foreach(target IN LISTS targets)
    get_target_property(already ${target} PRECOMPILE_HEADERS)
    _apus_way_of_compiling(${target} own_way)
    if(already)
      continue()
    elseif(own_way STREQUAL way)
      target_precompile_headers(${target} REUSE_FROM apus_precompiled)
    else()
      target_precompile_headers(${target} PRIVATE ${header})
    endif()
  endforeach()
endfunction()
