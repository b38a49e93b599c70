// SPDX-License-Identifier: Apache-2.0
#include "notes.hpp"

apus::task<note> notes::add(const new_note& sent) const {
    return db_.one<note>("insert into note (text, priority) values ($1, $2) returning id, text, priority", sent);
}

apus::task<note> notes::get(std::int64_t id) const {
    return db_.one<note>("select id, text, priority from note where id = $1", id);
}

apus::task<std::vector<note>> notes::first(std::int64_t most) const {
    return db_.all<note>("select id, text, priority from note order by id limit $1", most);
}
