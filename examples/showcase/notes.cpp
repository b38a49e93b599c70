// SPDX-License-Identifier: Apache-2.0
#include "showcase/notes.hpp"

#include <apus/json.hpp>
#include <apus/query.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace showcase {
namespace {

constexpr std::size_t most_notes = 1'000;

struct note {
    std::int64_t id;
    note_text text;
};

struct wanted_notes {
    apus::integer<1, 100> limit{20};
    std::optional<std::string> tag;
    std::optional<priority> importance;
};

bool fits(const note_text& text, const wanted_notes& wanted) {
    if (wanted.importance && text.importance != *wanted.importance) return false;
    return !wanted.tag || std::ranges::any_of(*text.tags, [&](const auto& tag) { return tag == *wanted.tag; });
}

std::vector<note> find_all(notes& all, const wanted_notes& wanted) {
    std::vector<note> found;
    all.each([&](std::int64_t id, const note_text& text) {
        if (fits(text, wanted)) found.push_back({id, text});
        return std::cmp_less(found.size(), *wanted.limit);
    });
    return found;
}

apus::result<void> done_if(bool there) {
    if (!there) return apus::fail(404, "there is no such note");
    return {};
}

}  // namespace

std::optional<std::int64_t> notes::add(note_text text) {
    const std::lock_guard hold(lock_);
    if (by_id_.size() >= most_notes) return std::nullopt;
    by_id_.emplace(++last_, std::move(text));
    return last_;
}

std::optional<note_text> notes::find(std::int64_t id) {
    const std::lock_guard hold(lock_);
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? std::nullopt : std::optional(found->second);
}

bool notes::replace(std::int64_t id, note_text text) {
    const std::lock_guard hold(lock_);
    const auto found = by_id_.find(id);
    if (found == by_id_.end()) return false;
    found->second = std::move(text);
    return true;
}

bool notes::remove(std::int64_t id) {
    const std::lock_guard hold(lock_);
    return by_id_.erase(id) != 0;
}

apus::app make_notes(const std::shared_ptr<notes>& all) {
    apus::app app;
    app.get("/", [all](apus::query<wanted_notes> wanted) { return find_all(*all, *wanted); })
        .summary("Notes that fit")
        .tag("notes");
    app.post("/",
             [all](apus::json<note_text> sent) -> apus::result<apus::created<note>> {
                 const auto id = all->add(*sent);
                 if (!id) return apus::fail(409, "there are 1,000 notes, and there is room for no more");
                 return apus::created{note{*id, *std::move(sent)}};
             })
        .summary("Makes a note")
        .tag("notes");
    app.get("/{id}", [all](std::int64_t id) { return all->find(id); }).summary("One note").tag("notes");
    app.put("/{id}",
            [all](std::int64_t id, apus::json<note_text> sent) { return done_if(all->replace(id, *std::move(sent))); })
        .summary("Replaces a note")
        .tag("notes");
    app.del("/{id}", [all](std::int64_t id) { return done_if(all->remove(id)); })
        .summary("Removes a note")
        .tag("notes");
    return app;
}

}  // namespace showcase
