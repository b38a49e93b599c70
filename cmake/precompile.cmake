# SPDX-License-Identifier: Apache-2.0
# With APUS_PRECOMPILE_STANDARD, the headers of the standard library that most sources include are parsed once for all
# targets with equal options, since parsing them takes half of a source's compile time. tools/tidy checks that each
# source names the headers that it uses. Off in projects that add this one, since their options may differ.

set(APUS_STANDARD_HEADERS
  <algorithm> <array> <atomic> <charconv> <chrono> <coroutine> <cstdint> <cstring> <expected> <functional> <map>
  <memory> <mutex> <optional> <span> <stdexcept> <string> <string_view> <utility> <variant> <vector>)

add_custom_target(apus_precompiled)  # for tools that read sources, such as `./apus check lint`

# apus_precompile(TARGET FLAGS...): FLAGS are the interface libraries with the compile options of the target.
function(apus_precompile target)
  if(NOT APUS_PRECOMPILE_STANDARD)
    return()
  endif()
  get_target_property(type ${target} TYPE)
  get_target_property(position_independent ${target} POSITION_INDEPENDENT_CODE)
  set(code "")
  set(hardened "")
  if(APUS_HARDENING AND CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$")
    set(hardened ON)
  endif()
  if(type STREQUAL "EXECUTABLE" AND (position_independent OR hardened))
    set(code -fPIE)  # by CMake, or by apus_harden
  elseif(position_independent)
    set(code -fPIC)
  endif()
  string(JOIN _ shared apus_precompiled ${ARGN} ${code})
  if(NOT TARGET ${shared})
    file(CONFIGURE OUTPUT precompiled.cpp CONTENT "")
    add_library(${shared} OBJECT ${PROJECT_BINARY_DIR}/precompiled.cpp)
    target_link_libraries(${shared} PRIVATE ${ARGN})
    target_precompile_headers(${shared} PRIVATE ${APUS_STANDARD_HEADERS})
    set_target_properties(${shared} PROPERTIES POSITION_INDEPENDENT_CODE OFF)  # `code` has the option
    target_compile_options(${shared} PRIVATE ${code})
    add_dependencies(apus_precompiled ${shared})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${shared})
endfunction()
