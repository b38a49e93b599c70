// SPDX-License-Identifier: Apache-2.0
// error: a transaction that is not kept is rolled back at once
#include <apus/sql.hpp>

// A function of the program, since g++ 12 does not check the value of `co_await db.begin()`.
apus::sql::transaction begun();

apus::task<> add_note() {
#ifdef OK
    const auto t = begun();
    co_await t.run("insert into note (title) values ('milk')");
    co_await t.commit();
#else
    begun();
    co_return;
#endif
}
