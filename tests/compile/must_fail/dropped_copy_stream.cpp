// SPDX-License-Identifier: Apache-2.0
// error: a stream that is not read starts no query: call next
#include <apus/sql.hpp>

apus::task<> copy_notes(apus::sql::database db) {
#ifdef OK
    auto lines = db.copy_out("select id, title from note");
    co_await lines.next();
#else
    db.copy_out("select id, title from note");
    co_return;
#endif
}
