// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>
#include <apus/rules.hpp>
#include <apus/sql.hpp>

#include <optional>

namespace showcase {

enum class priority {
    low,
    normal,
    high
};

/// The fields of a note that clients send.
struct note_text {
    apus::text<1, 80> title;
    apus::list<apus::pattern<"[a-z][a-z0-9-]{0,19}">, 0, 5> tags;
    priority importance = priority::normal;
    std::optional<apus::date> due;

    static constexpr apus::field_note fields[] = {
        {.field = "tags", .description = "Small letters, digits and '-'"},
        {.field = "due", .description = "Last day on which it can be done"},
    };
};

/// Returns an app to mount, which lists, creates, reads, replaces and deletes notes as JSON. It
/// stores at most 1,000 notes, in the table created by migrations/.
apus::app make_notes(const apus::sql::database&);

}  // namespace showcase
