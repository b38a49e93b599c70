# SPDX-License-Identifier: Apache-2.0
# Rejects a C++ compiler that miscompiles coroutines. Compiles coroutine_probe.cpp with the project's flags, runs it,
# and stores the result in CMake's cache for this compiler, its version and flags. Installed with the library.

set(apus_coroutine_probe ${CMAKE_CURRENT_LIST_DIR}/coroutine_probe.cpp)

# Sets OUT to "sound" or "faulty", or to the reason why the result is unknown.
function(_apus_probe_coroutines out)
  if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    set(${out} "programs for ${CMAKE_SYSTEM_PROCESSOR} do not run here" PARENT_SCOPE)
    return()
  endif()
  # A toolchain file may set STATIC_LIBRARY, but the probe must be a program.
  set(CMAKE_TRY_COMPILE_TARGET_TYPE EXECUTABLE)
  try_run(APUS_PROBE_STATUS APUS_PROBE_COMPILED SOURCES ${apus_coroutine_probe}
    COMPILE_DEFINITIONS -w CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON)  # -w, since the flags may contain -Werror
  if(NOT APUS_PROBE_COMPILED)
    set(${out} "the probe does not compile" PARENT_SCOPE)
  elseif(APUS_PROBE_STATUS STREQUAL "0")
    set(${out} sound PARENT_SCOPE)
  elseif(APUS_PROBE_STATUS STREQUAL "42")
    set(${out} faulty PARENT_SCOPE)
  else()
    set(${out} "the probe ended with ${APUS_PROBE_STATUS}" PARENT_SCOPE)
  endif()
  unset(APUS_PROBE_STATUS CACHE)
  unset(APUS_PROBE_COMPILED CACHE)
endfunction()

# Ends the configuration if the compiler miscompiles coroutines.
function(apus_require_sound_compiler)
  set(compiler "${CMAKE_CXX_COMPILER} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_CXX_COMPILER_TARGET} ${CMAKE_CXX_FLAGS}")
  if(APUS_ALLOW_MISCOMPILING_COMPILER OR NOT CMAKE_CXX_COMPILER_LOADED
      OR compiler STREQUAL "$CACHE{APUS_PROBED_COMPILER}")
    return()
  endif()
  _apus_probe_coroutines(result)
  if(result STREQUAL "faulty")
    message(FATAL_ERROR
      "${CMAKE_CXX_COMPILER} miscompiles coroutines: it destroys temporaries beside co_await twice, so that "
      "correct programs crash; use clang 19 (apt-get install clang-19, then -DCMAKE_CXX_COMPILER=clang++-19 in a "
      "new build folder), or set -DAPUS_ALLOW_MISCOMPILING_COMPILER=ON to build anyway")
  elseif(NOT result STREQUAL "sound")
    message(STATUS "cannot check whether ${CMAKE_CXX_COMPILER} miscompiles coroutines: ${result}")
  endif()
  set(APUS_PROBED_COMPILER "${compiler}" CACHE INTERNAL
    "The compiler and flags that coroutine_probe.cpp was tried with")
endfunction()
