# SPDX-License-Identifier: Apache-2.0
# Read by CTest when it starts: `apus_add_cases` defines a test for each TEST_CASE of a program. So the list of tests
# always matches the built programs.

function(apus_add_cases label program working_dir)
  if(NOT EXISTS ${program})
    add_test("${label}: not built" ${program})
    return()
  endif()
  execute_process(COMMAND ${program} --list-test-cases
    WORKING_DIRECTORY ${working_dir} OUTPUT_VARIABLE output RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    add_test("${label}: cannot list its cases" ${program} --list-test-cases)
    return()
  endif()
  # Replaces characters with a meaning in CMake's lists or in doctest's filters by `?`, which matches any character in a
  # filter.
  string(REGEX REPLACE "[][;\\\\]" "?" output "${output}")
  string(REGEX MATCHALL "[^\n]+" lines "${output}")
  foreach(case IN LISTS lines)
    if(case MATCHES "^(=+$|.doctest. )")
      continue()
    endif()
    string(REPLACE "," "?" filter "${case}")
    add_test("${label}: ${case}" ${program} "--test-case=${filter}" --minimal)
    set_tests_properties("${label}: ${case}" PROPERTIES
      WORKING_DIRECTORY ${working_dir} TIMEOUT 120 LABELS ${label} SKIP_RETURN_CODE 77)
  endforeach()
endfunction()
