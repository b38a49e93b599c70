# SPDX-License-Identifier: Apache-2.0
# Defines a program NAME in bin for each examples/NAME.cpp or examples/NAME/*.cpp. In a folder, main.cpp contains main;
# the other sources are also linked to the tests of that example, tests/examples/NAME_test.cpp.

function(apus_example name)
  cmake_parse_arguments(example "" "" "MAIN;PARTS" ${ARGN})
  apus_application(${name} ${example_MAIN})
  if(example_PARTS)
    add_library(apus_example_${name} OBJECT ${example_PARTS})
    target_include_directories(apus_example_${name} PUBLIC ${PROJECT_SOURCE_DIR}/examples)
    target_link_libraries(apus_example_${name} PUBLIC apus::apus PRIVATE apus_program_flags apus_project_flags)
    target_link_libraries(${name} PRIVATE apus_example_${name})
    get_filename_component(folder ${example_MAIN} DIRECTORY)
    file(GLOB migrations CONFIGURE_DEPENDS ${folder}/migrations/*.sql)
    if(migrations)
      apus_migrations(apus_example_${name} ${folder}/migrations)
    endif()
  endif()
  target_link_libraries(${name} PRIVATE apus_program_flags)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  add_dependencies(examples ${name})
endfunction()

add_custom_target(examples)
file(GLOB single_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.cpp)
foreach(source IN LISTS single_files)
  get_filename_component(name ${source} NAME_WE)
  apus_example(${name} MAIN ${source})
endforeach()

# Programs that docs/compared.md compares with programs in other frameworks.
file(GLOB compared CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/compared/apus/*.cpp)
foreach(source IN LISTS compared)
  get_filename_component(name ${source} NAME_WE)
  apus_example(compared_${name} MAIN ${source})
endforeach()

file(GLOB mains CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*/main.cpp)
foreach(main IN LISTS mains)
  get_filename_component(folder ${main} DIRECTORY)
  get_filename_component(name ${folder} NAME)
  file(GLOB_RECURSE parts CONFIGURE_DEPENDS ${folder}/*.cpp)
  list(REMOVE_ITEM parts ${main})
  apus_example(${name} MAIN ${main} PARTS ${parts})
endforeach()

# For tools that read all examples, such as `./apus check lint`: parses the headers of joined sources once.
if(APUS_JOIN)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  apus_join_files(joined programs ${single_files})
  add_library(apus_examples_joined OBJECT EXCLUDE_FROM_ALL ${joined})
  target_link_libraries(apus_examples_joined PRIVATE apus::apus apus_flags apus_joined)
endif()
