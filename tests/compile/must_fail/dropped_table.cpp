// SPDX-License-Identifier: Apache-2.0
// error: `in` changes nothing: use the table that it returns
#include <apus/sql/table.hpp>

struct note {
    std::int64_t id;
    std::string title;
};

apus::task<> remove_note(apus::sql::table<note> notes, apus::sql::transaction& t) {
#ifdef OK
    co_await notes.in(t).remove(1);
#else
    notes.in(t);
    co_await notes.remove(1);
#endif
}
