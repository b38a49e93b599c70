# SPDX-License-Identifier: Apache-2.0
# How our own code is compiled and linked. Nothing of this reaches those who use the library.

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

find_program(APUS_CCACHE ccache)
if(APUS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${APUS_CCACHE})
endif()

add_library(apus_flags INTERFACE)
target_compile_options(apus_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
  # A binary that names no folder of the machine that built it is the same wherever it is built.
  -ffile-prefix-map=${CMAKE_BINARY_DIR}/=build/
  -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)

find_program(APUS_MOLD mold)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # lld, because the sanitizers and LTO are tried with it; mold links faster where neither is on.
  if(APUS_MOLD AND NOT APUS_LTO AND NOT APUS_SANITIZE AND NOT APUS_FUZZ)
    target_link_options(apus_flags INTERFACE -fuse-ld=mold)
  else()
    target_link_options(apus_flags INTERFACE -fuse-ld=lld)
  endif()
elseif(APUS_MOLD AND NOT APUS_LTO AND NOT APUS_SANITIZE)
  target_link_options(apus_flags INTERFACE -fuse-ld=mold)
endif()

if(APUS_LTO AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Fat objects hold machine code too, so the installed library links with any compiler.
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

# The fuzzer counts what runs in the library and in what fuzz targets are made of. Tests and examples need no counters.
add_library(apus_fuzzed INTERFACE)
if(APUS_FUZZ)
  target_compile_options(apus_fuzzed INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Tests and examples are compiled often and run little.
add_library(apus_program_flags INTERFACE)
target_link_libraries(apus_program_flags INTERFACE apus_flags)
target_compile_options(apus_program_flags INTERFACE ${APUS_PROGRAM_FLAGS})
