# SPDX-License-Identifier: Apache-2.0
# With APUS_JOIN the sources of a folder are compiled as one. What headers cost is then paid once,
# and all of them take a third of the time: builds that are made from nothing profit, as CI's are.

# Each has a name of its own that another file of its folder has too.
set(APUS_NOT_JOINED
  src/base/utf8_checker.cpp src/codec/multipart/parameter.cpp src/codec/multipart/splitter.cpp
  src/compression/zstd_encoder.cpp src/crypto/sealed_box.cpp src/markup/scope.cpp src/markup/script.cpp
  src/openapi/schema_set.cpp src/web/pages.cpp src/web/router.cpp)
list(TRANSFORM APUS_NOT_JOINED PREPEND ${PROJECT_SOURCE_DIR}/)

add_library(apus_joined INTERFACE)
target_compile_options(apus_joined INTERFACE
  -Wno-shadow  # by names of other files
  $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)  # what is one file's own seems to be in a header

function(apus_join target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_link_libraries(${target} PRIVATE apus_joined)
  foreach(source IN LISTS ARGN)
    if(source IN_LIST APUS_NOT_JOINED)
      continue()
    endif()
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
  endforeach()
endfunction()

# Sets the variable OUT to sources that hold those that are named, several in each.
function(apus_join_files out name)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/tools/join_sources)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/joined)
  execute_process(
    COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tools/join_sources
      ${PROJECT_BINARY_DIR}/joined/${name} ${ARGN}
    OUTPUT_VARIABLE joined OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" joined "${joined}")
  set(${out} ${joined} PARENT_SCOPE)
endfunction()
