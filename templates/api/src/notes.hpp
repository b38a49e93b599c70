// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/rules.hpp>
#include <apus/sql.hpp>
#include <cstdint>
#include <optional>
#include <vector>

struct new_note {
    apus::text<1, 200> text;
    apus::integer<1, 5> priority{3};
};

struct note {
    std::int64_t id;
    std::string text;
    int priority;
};

/// Notes in the database. Contains all SQL statements.
class notes {
public:
    explicit notes(apus::sql::database db) : db_(std::move(db)) {}

    apus::task<note> add(const new_note&) const;
    apus::task<note> get(std::int64_t id) const;  ///< Fails with 404 if the note does not exist.
    apus::task<std::vector<note>> first(std::int64_t most) const;

private:
    apus::sql::database db_;
};
