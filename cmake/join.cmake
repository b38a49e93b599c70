# SPDX-License-Identifier: Apache-2.0
# With APUS_JOIN, several sources of a folder are compiled as one, so that their headers are parsed once. A build from
# scratch, as in CI, then takes a third of the time.

# Sources that define the same name as another file of their folder, or include a large header.
set(APUS_NOT_JOINED
  src/base/utf8_checker.cpp src/codec/multipart/parameter.cpp src/codec/multipart/splitter.cpp
  src/compression/zstd_encoder.cpp src/configuration/toml_file.cpp src/crypto/sealed_box.cpp src/markup/scope.cpp
  src/markup/script.cpp
  src/openapi/schema_set.cpp src/web/pages.cpp src/web/router.cpp)
list(TRANSFORM APUS_NOT_JOINED PREPEND ${PROJECT_SOURCE_DIR}/)

add_library(apus_joined INTERFACE)
target_compile_options(apus_joined INTERFACE
  -Wno-shadow  # names of other joined files would be shadowed
  $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)  # in joined sources, types local to a file appear to be in a header

function(apus_join target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_link_libraries(${target} PRIVATE apus_joined)
  foreach(source IN LISTS ARGN)
    if(source IN_LIST APUS_NOT_JOINED)
      continue()
    endif()
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    if(source MATCHES "/server/test_[^/]+$")
      set(folder test_client)  # with the rest of src/server, every program would link the HTTP/2 client
    endif()
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
  endforeach()
endfunction()

# Sets the variable OUT to generated sources, each of which contains several of the given sources.
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
