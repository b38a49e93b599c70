// SPDX-License-Identifier: Apache-2.0
// error: a stream that is not read starts no statement: call next
#include <apus/sql.hpp>

struct note {
    std::int64_t id;
    std::string title;
};

apus::task<> count_notes(apus::sql::database db) {
#ifdef OK
    auto rows = db.stream<note>("select id, title from note");
    co_await rows.next();
#else
    db.stream<note>("select id, title from note");
    co_return;
#endif
}
