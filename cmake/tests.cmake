# SPDX-License-Identifier: Apache-2.0
# Defines test programs: for each tests/FOLDER/**/*_test.cpp one program per folder, and one CTest test per TEST_CASE.
# Each tests/{bench,compile,e2e,tools}/*_test.py is one CTest test; exit status 77 means skipped. Each
# tests/e2e/*_server.cpp is a program in tests/ of the build folder, for the tests of that folder.

include(load)  # tests/bench tests it
find_package(doctest REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
pkg_check_modules(APUS_HTTP2 REQUIRED IMPORTED_TARGET libnghttp2)  # tests compare HTTP/2 and HPACK with it

file(GLOB_RECURSE support_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/support/*.cpp)
add_library(apus_test_main OBJECT ${PROJECT_SOURCE_DIR}/tests/main.cpp ${support_sources})
target_include_directories(apus_test_main PUBLIC ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(apus_test_main PUBLIC APUS_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
if(APUS_SANITIZE)
  target_compile_definitions(apus_test_main PUBLIC APUS_SANITIZED)
endif()
target_link_libraries(apus_test_main PUBLIC apus::apus doctest::doctest Threads::Threads PRIVATE apus_program_flags)
apus_precompile(apus_test_main apus_program_flags)

set(cases "")
file(GLOB folders CONFIGURE_DEPENDS LIST_DIRECTORIES true ${PROJECT_SOURCE_DIR}/tests/*)
foreach(folder IN LISTS folders)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*_test.cpp)
  if(NOT IS_DIRECTORY ${folder} OR NOT sources)
    continue()
  endif()
  get_filename_component(name ${folder} NAME)
  if((APUS_TEST_FOLDERS AND NOT name IN_LIST APUS_TEST_FOLDERS) OR (name STREQUAL "cli" AND NOT APUS_TOOLKIT))
    continue()
  endif()
  set(program apus_${name}_test)
  set(tried ${sources})
  if(APUS_JOIN)
    apus_join_files(sources ${name} ${sources})
  endif()
  add_executable(${program} ${sources})
  target_link_libraries(${program} PRIVATE apus_test_main PkgConfig::APUS_URING apus_program_flags)
  set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  apus_precompile(${program} apus_program_flags)
  if(APUS_JOIN)
    target_link_libraries(${program} PRIVATE apus_joined)
  endif()
  if(name STREQUAL "cli")
    target_link_libraries(${program} PRIVATE apus_toolkit)
  endif()
  if(name STREQUAL "postgres")
    target_link_libraries(${program} PRIVATE PkgConfig::APUS_PQ)  # headers of the layer include libpq's header
  endif()
  if(name MATCHES "^(codec|http|ws)$")
    target_link_libraries(${program} PRIVATE PkgConfig::APUS_HTTP2)
  endif()
  if(name STREQUAL "bench")
    target_link_libraries(${program} PRIVATE apus_load)
  endif()
  if(name STREQUAL "examples")
    foreach(example IN LISTS tried)
      get_filename_component(example ${example} NAME_WE)
      string(REGEX REPLACE "_test$" "" example ${example})
      if(TARGET apus_example_${example})
        target_link_libraries(${program} PRIVATE apus_example_${example})
      endif()
    endforeach()
  endif()
  string(APPEND cases "apus_add_cases(${name} ${PROJECT_BINARY_DIR}/tests/${program} ${PROJECT_SOURCE_DIR})\n")
endforeach()

file(CONFIGURE OUTPUT cases.cmake
  CONTENT "include(${PROJECT_SOURCE_DIR}/cmake/doctest_cases.cmake)\n${cases}" @ONLY)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY TEST_INCLUDE_FILES ${PROJECT_BINARY_DIR}/cases.cmake)

file(GLOB servers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/e2e/*_server.cpp)
foreach(source IN LISTS servers)
  get_filename_component(name ${source} NAME_WE)
  apus_application(${name} ${source})
  target_link_libraries(${name} PRIVATE apus_program_flags)
  apus_precompile(${name} apus_program_flags)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
endforeach()

# bench/application: tests/compile/application_test.py measures its compile time, tests/e2e tests its behavior.
file(GLOB application CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/application/*.cpp)
apus_application(application ${application})
target_link_libraries(application PRIVATE apus_program_flags)
apus_precompile(application apus_program_flags)
set_target_properties(application PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)

# hello.cpp, linked only with the libraries that it uses.
add_executable(smallest ${PROJECT_SOURCE_DIR}/examples/hello.cpp)
target_include_directories(smallest PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_link_options(smallest PRIVATE LINKER:--as-needed)
target_link_libraries(smallest PRIVATE $<TARGET_FILE:apus> ${APUS_PACKAGES} Threads::Threads apus_flags)
set_target_properties(smallest PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
add_dependencies(smallest apus)

set(script_folders bench cli compile e2e tools)
if(APUS_SANITIZE)
  set(script_folders bench e2e)  # the other tests run no instrumented program
  if(APUS_TEST_FOLDERS)
    set(script_folders e2e)
  endif()
endif()
foreach(folder IN LISTS script_folders)
  file(GLOB scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${folder}/*_test.py)
  if(APUS_SANITIZE AND folder STREQUAL "bench")
    list(FILTER scripts INCLUDE REGEX "/load[a-z_]*_test.py$")  # the suite is Python
  endif()
  foreach(script IN LISTS scripts)
    get_filename_component(name ${script} NAME_WE)
    string(REGEX REPLACE "_test$" "" name ${name})
    add_test(NAME "${folder}: ${name}" COMMAND Python3::Interpreter ${script}
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set(environment APUS_BIN=${PROJECT_BINARY_DIR}/bin APUS_BUILD=${PROJECT_BINARY_DIR} APUS_CXX=${CMAKE_CXX_COMPILER}
      APUS_SANITIZE=${APUS_SANITIZE} PYTHONDONTWRITEBYTECODE=1)
    set_tests_properties("${folder}: ${name}" PROPERTIES
      TIMEOUT 600 COST 100  # long tests start first, so that they do not run alone at the end
      LABELS ${folder} SKIP_RETURN_CODE 77
      ENVIRONMENT "${environment}")
  endforeach()
endforeach()

# These tests use all CPUs. They do not run concurrently, since they would then miss their deadlines.
set_tests_properties("e2e: limits" "e2e: memory" "e2e: slow_clients" "e2e: turns" PROPERTIES RESOURCE_LOCK machine)

if(NOT APUS_SANITIZE AND EXISTS ${PROJECT_SOURCE_DIR}/tools/tidy/__main__.py)
  add_test(NAME "tidy" COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tools/tidy)
  set_tests_properties("tidy" PROPERTIES TIMEOUT 300 LABELS tools)
endif()

# Sessions of a terminal: tests/cli/cases/<name>/session. Builds with sanitizers do not contain the tool.
if(APUS_TOOLKIT)
  file(GLOB sessions CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/cli/cases/*/session)
  foreach(session IN LISTS sessions)
    get_filename_component(folder ${session} DIRECTORY)
    get_filename_component(name ${folder} NAME)
    add_test(NAME "cli: ${name}"
      COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tests/cli/sessions.py $<TARGET_FILE:apus_tool> ${name})
    set_tests_properties("cli: ${name}" PROPERTIES TIMEOUT 600 LABELS cli SKIP_RETURN_CODE 77)
  endforeach()
endif()
