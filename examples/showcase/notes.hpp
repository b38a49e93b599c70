// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>
#include <apus/rules.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace showcase {

enum class priority {
    low,
    normal,
    high
};

/// What a client says of a note.
struct note_text {
    apus::text<1, 80> title;
    apus::list<apus::pattern<"[a-z][a-z0-9-]{0,19}">, 0, 5> tags;
    priority importance = priority::normal;
    std::optional<apus::date> due;

    static constexpr apus::field_note fields[] = {
        {.field = "tags", .description = "Small letters, digits and '-'"},
        {.field = "due", .description = "The day it must be done by"},
    };
};

/// Notes of everybody, in memory, at most 1,000 of them. For all cores: each call locks.
class notes {
public:
    std::optional<std::int64_t> add(note_text);  ///< Its number, or nothing if there are too many.
    std::optional<note_text> find(std::int64_t id);
    bool replace(std::int64_t id, note_text);  ///< False if it is not there.
    bool remove(std::int64_t id);              ///< The same.

    /// Calls `visit(id, note)` for each, by number, until it gives false.
    template <class Visit>
    void each(Visit visit) {
        const std::lock_guard hold(lock_);
        for (const auto& [id, note] : by_id_)
            if (!visit(id, note)) return;
    }

private:
    std::mutex lock_;
    std::map<std::int64_t, note_text> by_id_;
    std::int64_t last_ = 0;
};

/// An app of its own, to be mounted: notes are listed, made, read, replaced and removed, as JSON.
apus::app make_notes(const std::shared_ptr<notes>&);

}  // namespace showcase
