# SPDX-License-Identifier: Apache-2.0
# Options that make memory errors harder to exploit, for Apus itself and for projects. Installed with the library.

# apus_harden(TARGET): adds them to an interface library, for optimized builds. They cost at most 1 % of CPU time
# (decision 0053), and are turned off by -D APUS_HARDENING=OFF.
function(apus_harden target)
  option(APUS_HARDENING "Compile optimized builds with protection against exploits of memory errors" ON)
  if(NOT APUS_HARDENING)
    return()
  endif()
  set(optimized "$<CONFIG:Release,RelWithDebInfo,MinSizeRel>")
  set(program "$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>")
  set(compiling
    -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 # checks the sizes of buffers in calls of the C library
    -fstack-protector-strong              # detects overwritten return addresses
    -fstack-clash-protection)             # large frames do not jump over the guard page of the stack
  # Indirect jumps and returns only to valid targets, on processors that check them.
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    list(APPEND compiling -fcf-protection=full)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    list(APPEND compiling -mbranch-protection=standard)
  endif()
  target_compile_options(${target} INTERFACE "$<${optimized}:${compiling}>" "$<$<AND:${optimized},${program}>:-fPIE>")
  # Addresses of functions are resolved at start, and are read-only afterwards.
  target_link_options(${target} INTERFACE "$<${optimized}:-Wl,-z,relro,-z,now>"
    "$<$<AND:${optimized},${program}>:-pie>")
endfunction()
