// SPDX-License-Identifier: Apache-2.0
// error: a stream that is not read does not listen: call next
#include <apus/sql.hpp>

apus::task<> watch_notes(apus::sql::database db) {
#ifdef OK
    auto changes = db.listen("notes");
    co_await changes.next();
#else
    db.listen("notes");
    co_return;
#endif
}
