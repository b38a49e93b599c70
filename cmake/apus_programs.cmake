# SPDX-License-Identifier: Apache-2.0
# Programs beside the project's own. They are built when they are asked for, by `apus bench NAME` and
# `apus run NAME` or as targets of the build. Installed with the library.

# apus_programs(): of each bench/NAME_bench.cpp a program bench/NAME_bench of the build folder, and of each
# examples/NAME.cpp a program examples/NAME by the target example_NAME. They are linked with what the tests are,
# with what apus_dependencies names and with the modules. apus_application and apus_library call it.
function(apus_programs)
  file(GLOB benchmarks CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/bench/*_bench.cpp)
  file(GLOB examples CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/examples/*.cpp)
  get_property(parts DIRECTORY PROPERTY APUS_TESTED)
  foreach(source IN LISTS benchmarks examples)
    get_filename_component(name ${source} NAME_WE)
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    set(target ${name})
    if(folder STREQUAL "examples")
      set(target example_${name})
    endif()
    if(TARGET ${target})
      continue()
    endif()
    add_executable(${target} EXCLUDE_FROM_ALL ${source})
    target_link_libraries(${target} PRIVATE ${parts} apus::apus apus_project_flags ${apus_dependencies})
    apus_modules(${target})
    set_target_properties(${target} PROPERTIES
      OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${folder})
  endforeach()
endfunction()
