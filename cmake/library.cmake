# SPDX-License-Identifier: Apache-2.0
# Defines an object library for each layer, in the order of the table in ARCHITECTURE.md, a second one for the cold
# sources of a layer, and a static library of all of them. A layer without sources is omitted.

include(components)
include(cold)
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

# Defines the object library TARGET from SOURCES, compiled with the FLAGS of these interface libraries.
function(apus_objects target flags sources)
  add_library(${target} OBJECT ${sources})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${target} PRIVATE ${flags} ${APUS_PACKAGES})
  target_sources(apus PRIVATE $<TARGET_OBJECTS:${target}>)
  if(APUS_SHARED_LIBRARY)
    # The same object files are for both libraries. These options keep calls within a file direct, and access
    # thread_local variables by offset, as -fPIE does.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE -fno-semantic-interposition -ftls-model=initial-exec)
  endif()
  apus_precompile(${target} ${flags})
  if(APUS_JOIN)
    apus_join(${target} ${sources})
  endif()
  set_property(GLOBAL APPEND PROPERTY APUS_OBJECTS ${target})
endfunction()

foreach(layer IN LISTS APUS_LAYERS)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${layer}/*.cpp)
  apus_cold_sources(cold ${sources})
  if(cold)
    list(REMOVE_ITEM sources ${cold})
  endif()
  if(sources)
    apus_objects(apus_${layer} "apus_flags;apus_fuzzed" "${sources}")
  endif()
  if(cold)
    apus_objects(apus_${layer}_cold "apus_flags;apus_fuzzed;apus_cold_flags" "${cold}")
  endif()
endforeach()
get_property(APUS_OBJECTS GLOBAL PROPERTY APUS_OBJECTS)
foreach(target apus_server apus_server_cold apus_telemetry)
  if(TARGET ${target})
    target_compile_definitions(${target} PRIVATE APUS_VERSION="${PROJECT_VERSION}")
  endif()
endforeach()
include(swagger_ui)  # adds the files of the page to apus_openapi
if(NOT APUS_OBJECTS)
  file(WRITE ${PROJECT_BINARY_DIR}/empty.cpp "")
  target_sources(apus PRIVATE ${PROJECT_BINARY_DIR}/empty.cpp)
endif()
if(APUS_SHARED_LIBRARY)
  include(shared)
endif()
