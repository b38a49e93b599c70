// SPDX-License-Identifier: Apache-2.0
#include "sqlite/binding.hpp"

#include "sql/value_text.hpp"

#include <string>

#include <sqlite3.h>

namespace apus::sqlite {
namespace {

using sql::value;
using sql::value_kind;

int bind_text(sqlite3_stmt* s, int index, std::string_view text, sqlite3_destructor_type owner) {
    return sqlite3_bind_text64(s, index, text.data() ? text.data() : "", text.size(), owner, SQLITE_UTF8);
}

}  // namespace

int bind_value(sqlite3_stmt* s, int index, const value& v) {
    switch (v.kind) {
        case value_kind::null: return sqlite3_bind_null(s, index);
        case value_kind::boolean:
        case value_kind::integer: return sqlite3_bind_int64(s, index, v.integer);
        case value_kind::natural: return SQLITE_RANGE;
        case value_kind::number: return sqlite3_bind_double(s, index, v.number);
        case value_kind::text:
        case value_kind::json: return bind_text(s, index, v.text, SQLITE_STATIC);
        case value_kind::bytes:
            return sqlite3_bind_blob64(s, index, v.text.data() ? v.text.data() : "", v.text.size(), SQLITE_STATIC);
        case value_kind::time: {
            const std::string text = sql::time_text(v.integer);
            return text.empty() ? SQLITE_RANGE : bind_text(s, index, text, SQLITE_TRANSIENT);
        }
        case value_kind::list: {
            std::string text;
            sql::append_json(text, v);
            return bind_text(s, index, text, SQLITE_TRANSIENT);
        }
        case value_kind::record: break;  // only in results of PostgreSQL
    }
    return SQLITE_MISUSE;
}

}  // namespace apus::sqlite
