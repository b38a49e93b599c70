# SPDX-License-Identifier: Apache-2.0

# apus_application(name source...): a program that is served by apus. Installed with the library,
# so that a project of yours needs find_package(apus) and this line.
function(apus_application name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE apus::apus)
endfunction()
