// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "migrations/shared_object.hpp"

#include <sqlite3.h>

namespace apus::migrations {

/// The functions of SQLite that migrations use.
struct sqlite_library {
    decltype(sqlite3_open_v2)* open_v2;
    decltype(sqlite3_close_v2)* close_v2;
    decltype(sqlite3_prepare_v2)* prepare_v2;
    decltype(sqlite3_bind_text)* bind_text;
    decltype(sqlite3_step)* step;
    decltype(sqlite3_finalize)* finalize;
    decltype(sqlite3_column_count)* column_count;
    decltype(sqlite3_column_text)* column_text;
    decltype(sqlite3_column_bytes)* column_bytes;
    decltype(sqlite3_column_name)* column_name;
    decltype(sqlite3_column_decltype)* column_decltype;
    decltype(sqlite3_column_table_name)* column_table_name;
    decltype(sqlite3_column_origin_name)* column_origin_name;
    decltype(sqlite3_table_column_metadata)* table_column_metadata;
    decltype(sqlite3_bind_parameter_count)* bind_parameter_count;
    decltype(sqlite3_errcode)* errcode;
    decltype(sqlite3_errmsg)* errmsg;
    decltype(sqlite3_errstr)* errstr;
    decltype(sqlite3_error_offset)* error_offset;
    decltype(sqlite3_busy_timeout)* busy_timeout;
    decltype(sqlite3_get_autocommit)* get_autocommit;
    decltype(sqlite3_db_config)* db_config;
    decltype(sqlite3_backup_init)* backup_init;
    decltype(sqlite3_backup_step)* backup_step;
    decltype(sqlite3_backup_finish)* backup_finish;

    static const sqlite_library& get();  ///< Throws `migration_error` if SQLite is not installed.
};

}  // namespace apus::migrations
