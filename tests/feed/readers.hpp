// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/running_task.hpp"

#include <apus/feed.hpp>

#include <memory>
#include <string>
#include <utility>

namespace apus::test {

/// Reads a room until it is destroyed. `seen` has the data of each event after a space; `|` is a gap.
struct reading {
    reading(const feed& of, std::string room, std::string last_id = {})
        : run(read(of, std::move(room), std::move(last_id), *this)) {}
    reading(const reading&) = delete;
    reading& operator=(const reading&) = delete;

    static task<> read(feed of, std::string room, std::string last_id, reading& to) {
        auto reader = co_await of.follow(std::move(room), std::move(last_id));
        to.begun = true;
        while (true) {
            const auto next = co_await reader.next();
            if (next->gap) to.seen += "|";
            else to.seen += " " + next->data;
            if (!next->id.empty()) to.last_id = next->id;
        }
    }

    std::string seen, last_id;
    bool begun = false;
    running_task<void> run;
};

}  // namespace apus::test
