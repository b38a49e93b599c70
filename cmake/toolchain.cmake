# SPDX-License-Identifier: Apache-2.0
# Compiler and linker options for the project's own code. They do not affect users of the library.

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(APUS_URING REQUIRED IMPORTED_TARGET liburing)
pkg_check_modules(APUS_SODIUM REQUIRED IMPORTED_TARGET libsodium)
pkg_check_modules(APUS_CRYPTO REQUIRED IMPORTED_TARGET libcrypto)
pkg_check_modules(APUS_TLS REQUIRED IMPORTED_TARGET libssl)
pkg_check_modules(APUS_COMPRESSION REQUIRED IMPORTED_TARGET zlib libdeflate libbrotlienc libbrotlidec libzstd)
pkg_check_modules(APUS_SQLITE REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(APUS_PQ REQUIRED IMPORTED_TARGET libpq)

if(APUS_CHECK_ONLY)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_CURRENT_LIST_DIR}/../tools/check_syntax)
  set(CMAKE_CXX_CREATE_STATIC_LIBRARY "${CMAKE_COMMAND} -E touch <TARGET>")
  set(CMAKE_CXX_LINK_EXECUTABLE "${CMAKE_COMMAND} -E touch <TARGET>")
endif()

find_program(APUS_CCACHE ccache)
if(APUS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # pch_defines and time_macros allow ccache to cache sources that use precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${APUS_CCACHE})
endif()

add_library(apus_flags INTERFACE)
target_compile_options(apus_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
  $<$<CXX_COMPILER_ID:Clang>:-Wreserved-identifier>
  # Keeps paths of this machine out of binaries, so that equal sources give equal binaries.
  -ffile-prefix-map=${CMAKE_BINARY_DIR}/=build/
  -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=
  # The contents of precompiled headers must not depend on when they were made, so that ccache finds equal ones.
  $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)

# A section for each function and variable, so that --gc-sections removes unused ones from programs.
target_compile_options(apus_flags INTERFACE
  $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-ffunction-sections$<SEMICOLON>-fdata-sections>)

include(apus_hardening)
apus_harden(apus_flags)

find_program(APUS_MOLD mold)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Uses lld for sanitizers and LTO, which are tested with lld; otherwise mold, which links faster.
  if(APUS_MOLD AND NOT APUS_LTO AND NOT APUS_SANITIZE AND NOT APUS_FUZZ)
    target_link_options(apus_flags INTERFACE -fuse-ld=mold)
  else()
    target_link_options(apus_flags INTERFACE -fuse-ld=lld)
  endif()
elseif(APUS_MOLD AND NOT APUS_LTO AND NOT APUS_SANITIZE)
  target_link_options(apus_flags INTERFACE -fuse-ld=mold)
endif()

if(APUS_LTO AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Fat object files also contain machine code, so any compiler can link the installed library.
  target_compile_options(apus_flags INTERFACE -flto=thin -ffat-lto-objects)
  target_link_options(apus_flags INTERFACE -flto=thin -ffat-lto-objects)
elseif(APUS_LTO)
  target_compile_options(apus_flags INTERFACE -flto=auto -ffat-lto-objects)
  target_link_options(apus_flags INTERFACE -flto=auto)
endif()

if(APUS_SANITIZE)
  set(sanitize -fsanitize=${APUS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(apus_flags INTERFACE ${sanitize})
  target_link_options(apus_flags INTERFACE ${sanitize})
endif()

# Instruments the library and the sources of fuzz targets for the fuzzer, but not tests and examples.
add_library(apus_fuzzed INTERFACE)
if(APUS_FUZZ)
  target_compile_options(apus_fuzzed INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Tests and examples are compiled often and run briefly, so compile time matters more than speed.
add_library(apus_program_flags INTERFACE)
target_link_libraries(apus_program_flags INTERFACE apus_flags)
target_compile_options(apus_program_flags INTERFACE ${APUS_PROGRAM_FLAGS})
