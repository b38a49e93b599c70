# SPDX-License-Identifier: Apache-2.0
# Defines the load generator, a program `load` in bench/ of the build folder, from bench/load/. It uses no code of the
# library that it measures. Tests link its sources as an object library.

include_guard(GLOBAL)
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/load/*.cpp)
list(REMOVE_ITEM sources ${PROJECT_SOURCE_DIR}/bench/load/main.cpp)
add_library(apus_load OBJECT ${sources})
target_include_directories(apus_load PUBLIC ${PROJECT_SOURCE_DIR}/bench)
target_link_libraries(apus_load PUBLIC PkgConfig::APUS_URING Threads::Threads PRIVATE apus_flags)
apus_precompile(apus_load apus_flags)
if(APUS_JOIN)
  apus_join(apus_load ${sources})
endif()
add_executable(bench_load ${PROJECT_SOURCE_DIR}/bench/load/main.cpp)
target_link_libraries(bench_load PRIVATE apus_load apus_flags)
set_target_properties(bench_load PROPERTIES OUTPUT_NAME load RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
