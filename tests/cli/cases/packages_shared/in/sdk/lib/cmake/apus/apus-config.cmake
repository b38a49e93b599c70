# SPDX-License-Identifier: Apache-2.0
# As an SDK that has libapus.so has it.
add_library(apus::shared SHARED IMPORTED)
set_target_properties(apus::shared PROPERTIES IMPORTED_LOCATION ${CMAKE_CURRENT_LIST_DIR}/../../libapus.so.0.1)
