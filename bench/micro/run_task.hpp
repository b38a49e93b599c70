// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"

#include <apus/task.hpp>

#include <cstdio>
#include <string>

/// Runs a task on this thread's loop, and prints its error.
inline void run(apus::runtime::loop& loop, apus::task<> t) {
    struct ending : apus::detail::completion {
        bool ended = false;
    } end;
    end.run = [](apus::detail::completion* c) noexcept { static_cast<ending*>(c)->ended = true; };
    const auto self = t.release();
    self.promise().done = &end;
    self.resume();
    while (!end.ended) loop.turn();
    const auto& made = *self.promise().outcome;
    if (!made) std::printf("failed: %s\n", std::string(made.error().cause()).c_str());
    self.destroy();
}
