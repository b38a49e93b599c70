# SPDX-License-Identifier: Apache-2.0
# CMake functions for projects that use apus, in addition to find_package(apus). Installed with the library.

set(apus_functions ${CMAKE_CURRENT_LIST_DIR})
include(${apus_functions}/apus_migrations.cmake)
include(${apus_functions}/apus_modules.cmake)
include(${apus_functions}/apus_programs.cmake)
include(${apus_functions}/apus_precompile.cmake)

# apus_application(NAME [SOURCE...]): defines a program served by apus. The default sources are src/*.cpp; apus_tests
# can test all of them except src/main.cpp. Links the project's modules, and embeds migrations/*.sql.
function(apus_application name)
  if(ARGN)
    _apus_project_flags()
    _apus_dependencies()
    add_executable(${name} ${ARGN})
    target_link_libraries(${name} PRIVATE apus::apus apus_project_flags ${apus_dependencies})
    apus_modules(${name})
    return()
  endif()
  file(GLOB_RECURSE parts CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/*.cpp)
  list(REMOVE_ITEM parts ${CMAKE_CURRENT_SOURCE_DIR}/src/main.cpp)
  _apus_project_flags()
  _apus_dependencies()
  add_executable(${name} ${CMAKE_CURRENT_SOURCE_DIR}/src/main.cpp)
  if(parts)
    add_library(${name}_parts OBJECT ${parts})
    target_include_directories(${name}_parts PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/src)
    target_link_libraries(${name}_parts PUBLIC apus::apus apus_project_flags ${apus_dependencies})
    target_link_libraries(${name} PRIVATE ${name}_parts)
    apus_modules(${name}_parts)
    _apus_test_against(${name}_parts)
    _apus_precompile(${name}_parts)
    _apus_precompile(${name})
  endif()
  file(GLOB migrations CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/migrations/*.sql)
  if(migrations)
    if(parts)
      apus_migrations(${name}_parts ${CMAKE_CURRENT_SOURCE_DIR}/migrations)
    else()
      apus_migrations(${name} ${CMAKE_CURRENT_SOURCE_DIR}/migrations)
    endif()
  endif()
  target_link_libraries(${name} PRIVATE apus::apus apus_project_flags ${apus_dependencies})
  apus_modules(${name})
  apus_programs()
endfunction()

# apus_library(NAME): defines a library of src/*.cpp, with include/ as its public headers.
function(apus_library name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/*.cpp)
  _apus_project_flags()
  _apus_dependencies()
  add_library(${name} ${sources})
  target_include_directories(${name} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/include PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
  target_link_libraries(${name} PUBLIC apus::apus ${apus_dependencies} PRIVATE $<BUILD_INTERFACE:apus_project_flags>)
  _apus_test_against(${name})
  apus_programs()
  _apus_precompile(${name})
endfunction()

# apus_tests(): builds tests/*_test.cpp as one doctest program; each TEST_CASE is a CTest test. Defines nothing if
# BUILD_TESTING is off.
macro(apus_tests)
  option(BUILD_TESTING "Build the tests" ON)
  if(BUILD_TESTING)
    enable_testing()  # A macro, since enable_testing() sets a variable that would be lost in a function.
    _apus_tests()
  endif()
endmacro()

function(_apus_tests)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/tests/*_test.cpp)
  if(NOT sources)
    return()
  endif()
  find_package(doctest QUIET)
  if(NOT doctest_FOUND)
    message(WARNING "doctest is not installed, so the tests are not built (Debian: doctest-dev)")
    return()
  endif()
  _apus_project_flags()
  set(program ${PROJECT_NAME}_tests)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/tests_main.cpp
    CONTENT "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n")
  add_executable(${program} ${sources} ${CMAKE_CURRENT_BINARY_DIR}/tests_main.cpp)
  set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/tests_main.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  _apus_precompile(${program})
  get_property(tested DIRECTORY PROPERTY APUS_TESTED)
  target_link_libraries(${program} PRIVATE ${tested} apus::apus apus_project_flags doctest::doctest)
  string(CONCAT cases "include([[${apus_functions}/doctest_cases.cmake]])\n"
    "apus_add_cases(tests [[${CMAKE_CURRENT_BINARY_DIR}/${program}]] [[${CMAKE_CURRENT_SOURCE_DIR}]])\n")
  file(CONFIGURE OUTPUT cases.cmake CONTENT "${cases}")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_CURRENT_BINARY_DIR}/cases.cmake)
endfunction()

# Adds a library that apus_tests links.
function(_apus_test_against target)
  set_property(DIRECTORY APPEND PROPERTY APUS_TESTED ${target})
endfunction()

# Defines flags for the project's own sources. Links development builds with mold if it is installed.
function(_apus_project_flags)
  if(TARGET apus_project_flags)
    return()
  endif()
  add_library(apus_project_flags INTERFACE)
  # A discarded apus::fail or result is a missing check, so it is an error in every configuration.
  target_compile_options(apus_project_flags INTERFACE -Wall -Wextra -Wshadow -Werror=unused-result)
  # Stores constant temporaries in the program's data, where `apus db check` finds SQL statements. Not for g++, which
  # would also merge variables that must have distinct addresses.
  target_compile_options(apus_project_flags INTERFACE $<$<CXX_COMPILER_ID:Clang>:-fmerge-all-constants>)
  find_program(APUS_MOLD mold)
  if(APUS_MOLD AND NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    target_link_options(apus_project_flags INTERFACE -fuse-ld=mold)
  endif()
endfunction()

# Includes cmake/dependencies.cmake, which `apus add` writes: it sets apus_dependencies, a list of targets.
macro(_apus_dependencies)
  set(apus_dependencies "")
  include(${CMAKE_CURRENT_SOURCE_DIR}/cmake/dependencies.cmake OPTIONAL)
endmacro()
