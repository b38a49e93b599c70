# SPDX-License-Identifier: Apache-2.0
# Programs in addition to the project's own. They are built only by `apus bench NAME` and `apus run NAME`, or as build
# targets. Installed with the library.

# apus_programs(): defines a program bench/NAME_bench for each bench/NAME_bench.cpp, and a program examples/NAME (target
# example_NAME) for each examples/NAME.cpp, in the build folder. They link the same libraries as the tests, the targets
# in apus_dependencies, and the modules. Called by apus_application and apus_library.
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
