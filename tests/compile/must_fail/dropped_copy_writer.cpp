// SPDX-License-Identifier: Apache-2.0
// error: rows are stored only by write and finish
#include <apus/sql.hpp>

struct note {
    std::int64_t id;
    std::string title;
};

apus::task<> copy_notes(apus::sql::database db) {
#ifdef OK
    auto to = db.copy_in<note>("note");
    co_await to.write({1, "milk"});
    co_await to.finish();
#else
    db.copy_in<note>("note");
    co_return;
#endif
}
