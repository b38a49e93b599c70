# SPDX-License-Identifier: Apache-2.0
# apus_migrations(TARGET FOLDER): embeds the .sql files of a folder in a target, for apus::sql::program_migrations().
# Installed with the library. apus_application calls it for migrations/.

function(apus_migrations target folder)
  if(TARGET apus::core AND NOT TARGET apus::data)
    message(FATAL_ERROR "${folder} needs the component `data` of Apus, which this SDK lacks: "
      "install one of the profile `data` or `full` (apus sdk install)")
  endif()
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.sql)
  list(SORT files COMPARE NATURAL)
  set(rows "")
  foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME)
    if(name STREQUAL "seed.sql")
      continue()
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ "${file}" text)
    string(APPEND rows "    {R\"apus_sql(${name})apus_sql\", R\"apus_sql(${text})apus_sql\"},\n")
  endforeach()
  set(made ${CMAKE_CURRENT_BINARY_DIR}/${target}_migrations.cpp)
  file(WRITE ${made}.new "// Made by apus_migrations of ${folder}.
#include <apus/sql/migrations.hpp>

namespace {

constexpr apus::sql::migration_file files[] = {
${rows}    {},  // there are no empty arrays
};

}  // namespace

std::span<const apus::sql::migration_file> apus::sql::program_migrations() noexcept {
    return std::span(files).first(std::size(files) - 1);
}
")
  file(COPY_FILE ${made}.new ${made} ONLY_IF_DIFFERENT)
  set_source_files_properties(${made} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE ${made})
endfunction()
