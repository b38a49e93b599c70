# SPDX-License-Identifier: Apache-2.0
# Sources whose code runs at the start or end of a program, or for an operator, but not for each request, event or
# connection. Every program contains most of this code, so optimized builds compile it for size: it is then a third
# smaller.

set(APUS_COLD
  "operations/.*"
  "profiling/(code_map|cpu_sampler|mapping|profile|symbols|elf/.*)"
  "sandbox/.*"
  "configuration/.*"
  "codec/crash/.*"
  "net/(endpoint|host_port|listener)"
  "runtime/(security|uring/open)"
  "server/(administration|available_memory|blocked_times|command_line|confinement|core_thread|crash_.*|debug_.*)"
  "server/(endpoints|halted_cores|inherited_sockets|listeners|log_settings|metrics_page|pid_file|profiles)"
  "server/(program_start|request_board|request_report|restart.*|route_listing|serve|service_status|signals)"
  "server/(standard_output|starter|successor|supervisor|task_.*|thread_stack|watchdog)"
  "web/(app|application|reporting|route_pattern)")

add_library(apus_cold_flags INTERFACE)
target_compile_options(apus_cold_flags INTERFACE
  "$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:$<IF:$<CXX_COMPILER_ID:Clang>,-Oz,-Os>>")

# Sets OUT to the cold sources among the given sources of a layer. Empty unless the build is optimized: in other builds,
# all sources of a layer have equal options.
function(apus_cold_sources out)
  list(JOIN APUS_COLD "|" names)
  set(found "")
  if(CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$")
    foreach(source IN LISTS ARGN)  # by relative names, since the project's path may contain characters such as '+'
      cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/src OUTPUT_VARIABLE name)
      if(name MATCHES "^(${names})\\.cpp$")
        list(APPEND found ${source})
      endif()
    endforeach()
  endif()
  set(${out} ${found} PARENT_SCOPE)
endfunction()
