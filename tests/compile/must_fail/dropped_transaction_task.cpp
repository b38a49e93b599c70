// SPDX-License-Identifier: Apache-2.0
// error: a task that is not awaited never runs: write co_await
#include <apus/sql.hpp>

apus::task<> add_note(apus::sql::database db) {
    const auto add = [](apus::sql::transaction& t) -> apus::task<> {
        co_await t.run("insert into note default values");
    };
#ifdef OK
    co_await db.transaction(add);
#else
    db.transaction(add);
    co_return;
#endif
}
