# SPDX-License-Identifier: Apache-2.0
# Defines one object library for each layer, in the order of the table in ARCHITECTURE.md, and a static library of all
# of them. A layer without sources is omitted.

include(components)
include(join)

set(APUS_LAYERS
  base schema markup codec compression crypto jwt sandbox runtime tls profiling tracing net http outbound web disk forms
  middleware openapi ws migrations sql sqlite postgres redis nats jobs feed outbox operations telemetry testing
  server configuration)
set(APUS_PACKAGES
  PkgConfig::APUS_URING PkgConfig::APUS_SODIUM PkgConfig::APUS_TLS PkgConfig::APUS_CRYPTO PkgConfig::APUS_COMPRESSION
  PkgConfig::APUS_SQLITE PkgConfig::APUS_PQ)

file(GLOB_RECURSE apus_public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/apus/*.hpp)
add_library(apus STATIC ${apus_public_headers})
add_library(apus::apus ALIAS apus)
set_target_properties(apus PROPERTIES LINKER_LANGUAGE CXX)
target_compile_features(apus PUBLIC cxx_std_23)
target_include_directories(apus PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<INSTALL_INTERFACE:include>)
target_link_libraries(apus PRIVATE Threads::Threads ${APUS_PACKAGES})
# Programs then depend at run time only on the shared libraries of the components that they use.
# Optimized programs do not contain the functions that they do not call.
target_link_options(apus INTERFACE LINKER:--as-needed
  "$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:LINKER:--gc-sections>")
target_link_options(apus INTERFACE ${apus_http2_asks})

set(apus_sources_found FALSE)
foreach(layer IN LISTS APUS_LAYERS)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${layer}/*.cpp)
  if(NOT sources)
    continue()
  endif()
  set(apus_sources_found TRUE)
  add_library(apus_${layer} OBJECT ${sources})
  target_include_directories(apus_${layer} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(apus_${layer} PRIVATE apus_flags apus_fuzzed ${APUS_PACKAGES})
  target_sources(apus PRIVATE $<TARGET_OBJECTS:apus_${layer}>)
  if(APUS_SHARED_LIBRARY)
    # The same object files are for both libraries. These options keep calls within a file direct, and access
    # thread_local variables by offset, as -fPIE does.
    set_target_properties(apus_${layer} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(apus_${layer} PRIVATE -fno-semantic-interposition -ftls-model=initial-exec)
  endif()
  apus_precompile(apus_${layer} apus_flags apus_fuzzed)
  if(APUS_JOIN)
    apus_join(apus_${layer} ${sources})
  endif()
endforeach()
foreach(layer server telemetry)
  if(TARGET apus_${layer})
    target_compile_definitions(apus_${layer} PRIVATE APUS_VERSION="${PROJECT_VERSION}")
  endif()
endforeach()
include(swagger_ui)  # adds the files of the page to apus_openapi
if(NOT apus_sources_found)
  file(WRITE ${PROJECT_BINARY_DIR}/empty.cpp "")
  target_sources(apus PRIVATE ${PROJECT_BINARY_DIR}/empty.cpp)
endif()
if(APUS_SHARED_LIBRARY)
  include(shared)
endif()
