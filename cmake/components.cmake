# SPDX-License-Identifier: Apache-2.0
# Reads components.txt. For each component sets apus_<name>_needs, _modules, _packages and _summary; the names are in
# apus_all_components. Installed with the table, since find_package(apus) reads it.

# No code of the library refers to HTTP/2 (src/http/protocol.hpp), so the linker must be told to include its symbol.
set(apus_http2_asks -Wl,--undefined=_ZN4apus4http10make_http2ERNS0_4coreE)

set(apus_all_components "")
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/components.txt lines REGEX "^[^#]")
foreach(line IN LISTS lines)
  string(REPLACE "|" ";" columns "${line}")
  list(TRANSFORM columns STRIP)
  list(POP_FRONT columns name needs modules packages apus_summary)
  list(APPEND apus_all_components ${name})
  set(apus_${name}_summary "${apus_summary}")
  foreach(column needs modules packages)
    separate_arguments(apus_${name}_${column} UNIX_COMMAND "${${column}}")
  endforeach()
endforeach()

# Sets OUT to these components and all components that they need, each after the components that it needs.
function(apus_with_needs out)
  set(all "")
  foreach(name IN LISTS ARGN)
    if(apus_${name}_needs)
      apus_with_needs(needs ${apus_${name}_needs})
      list(APPEND all ${needs})
    endif()
    list(APPEND all ${name})
  endforeach()
  list(REMOVE_DUPLICATES all)
  set(${out} ${all} PARENT_SCOPE)
endfunction()
