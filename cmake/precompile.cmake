# SPDX-License-Identifier: Apache-2.0
# With APUS_PRECOMPILE, the headers of the standard library that most sources include are parsed once for all targets
# with equal options, since parsing them takes half of a source's compile time. tools/tidy checks that each source names
# the headers that it uses.

set(APUS_PRECOMPILED
  <algorithm> <array> <atomic> <charconv> <chrono> <coroutine> <cstdint> <cstring> <expected> <functional> <map>
  <memory> <mutex> <optional> <span> <stdexcept> <string> <string_view> <utility> <variant> <vector>)

add_custom_target(precompiled)  # for tools that read sources, such as `./apus check lint`

# apus_precompile(TARGET FLAGS...): FLAGS are the interface libraries with the compile options of the target.
function(apus_precompile target)
  if(NOT APUS_PRECOMPILE)
    return()
  endif()
  get_target_property(type ${target} TYPE)
  get_target_property(position_independent ${target} POSITION_INDEPENDENT_CODE)
  set(code "")
  if(position_independent)
    set(code -fPIC)
  elseif(type STREQUAL "EXECUTABLE" AND APUS_HARDENING AND CMAKE_BUILD_TYPE STREQUAL "Release")
    set(code -fPIE)  # by apus_harden
  endif()
  string(JOIN _ shared apus_precompiled ${ARGN} ${code})
  if(NOT TARGET ${shared})
    file(CONFIGURE OUTPUT precompiled.cpp CONTENT "")
    add_library(${shared} OBJECT ${PROJECT_BINARY_DIR}/precompiled.cpp)
    target_link_libraries(${shared} PRIVATE ${ARGN})
    target_precompile_headers(${shared} PRIVATE ${APUS_PRECOMPILED})
    target_compile_options(${shared} PRIVATE ${code})
    add_dependencies(precompiled ${shared})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${shared})
endfunction()
