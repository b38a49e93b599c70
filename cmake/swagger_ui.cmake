# SPDX-License-Identifier: Apache-2.0
# Embeds swagger-ui-dist (Apache-2.0), the renderer of apus::openapi_page, in the version and with the hash below. npm
# downloads it once for all builds of this source tree. Without npm or its registry, the library is built without the
# renderer.

set(version 5.35.0)
string(CONCAT sha512
  534eaba4cb56f55dd73c638179a993512af4674f63317e0826e00da44fc465b0
  21c341bc0a0c2bcd4e18997927fe1d3008336c5dd19aad334d1c2dec53cc9551)
set(fetched ${PROJECT_BINARY_DIR}/fetched)
if(PROJECT_IS_TOP_LEVEL)
  set(fetched ${PROJECT_SOURCE_DIR}/build/fetched)
endif()
set(tarball swagger-ui-dist-${version}.tgz)
set(archive ${fetched}/${tarball})

# Several builds of the source tree may be configured at the same time, so each one downloads into a folder of its own,
# and then replaces the shared file at once.
if(NOT EXISTS ${archive})
  set(incoming ${PROJECT_BINARY_DIR}/incoming)
  file(MAKE_DIRECTORY ${fetched} ${incoming})
  find_program(APUS_NPM npm)
  if(APUS_NPM)
    execute_process(
      COMMAND ${APUS_NPM} pack swagger-ui-dist@${version} --ignore-scripts --fetch-retries=0 --fetch-timeout=20000
      WORKING_DIRECTORY ${incoming} OUTPUT_QUIET ERROR_QUIET TIMEOUT 60)
  endif()
  if(EXISTS ${incoming}/${tarball})
    file(RENAME ${incoming}/${tarball} ${archive})
  endif()
endif()

set(script "")
set(style "")
if(EXISTS ${archive})
  file(SHA512 ${archive} found)
  if(NOT found STREQUAL sha512)
    file(REMOVE ${archive})
    message(FATAL_ERROR
      "hash mismatch: swagger-ui-dist ${version} from npm differs from the hash in cmake/swagger_ui.cmake")
  endif()
  file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${PROJECT_BINARY_DIR}/swagger-ui
    PATTERNS package/swagger-ui.css package/swagger-ui-bundle.js)
  set(script ".incbin \\\"${PROJECT_BINARY_DIR}/swagger-ui/package/swagger-ui-bundle.js\\\"")
  set(style ".incbin \\\"${PROJECT_BINARY_DIR}/swagger-ui/package/swagger-ui.css\\\"")
else()
  message(STATUS "apus::openapi_page is built without its renderer, so the page at /docs shows a notice instead: "
    "install npm, and configure again with access to npm's registry")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/page_files.cpp.in ${PROJECT_BINARY_DIR}/page_files.cpp @ONLY)
# Without LTO, which does not see the symbols defined in assembler.
set_source_files_properties(${PROJECT_BINARY_DIR}/page_files.cpp PROPERTIES COMPILE_OPTIONS -fno-lto)
target_sources(apus_openapi PRIVATE ${PROJECT_BINARY_DIR}/page_files.cpp)
