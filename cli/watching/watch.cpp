// SPDX-License-Identifier: Apache-2.0
#include "cli/watching/watch.hpp"

#include <chrono>
#include <csignal>
#include <deque>
#include <string>

#include <poll.h>

#include "cli/errors/failure.hpp"
#include "cli/system/signals.hpp"
#include "cli/terminal/full_screen.hpp"

namespace apus::cli::watching {

namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

constexpr std::size_t kept_states = 6;  // rates and latencies are of the last 5 s

double seconds_of(auto time) { return std::chrono::duration<double>(time.time_since_epoch()).count(); }

server_state state_of(const admin_client& from) {
    const std::string metrics = from.get("/metrics", "text/plain", 5s);
    auto made = read_state(metrics, from.get("/debug/requests", "application/json", 5s));
    if (!made)
        throw errors::failure("E0320", "no administration at `" + from.address() + "`: not an Apus server",
                              "pass the address that the server prints after `administration on`");
    made->taken = seconds_of(clock::now());
    made->clock = seconds_of(std::chrono::system_clock::now());
    return *std::move(made);
}

}  // namespace

void print_once(const admin_client& from, view how, terminal::shell& to) {
    const server_state before = state_of(from);
    poll(nullptr, 0, 1000);
    system::throw_if_interrupted();
    const server_state now = state_of(from);
    const bool same = now.started == before.started;
    to.print(draw(now, same ? &before : nullptr, how, {.columns = 120, .rows = 0}, false));
}

void watch(const admin_client& from, view how, bool colored) {
    std::deque<server_state> states{state_of(from)};
    std::string trouble;
    terminal::full_screen screen;
    for (auto next = clock::now() + 1s;; next += 1s) {
        for (;;) {
            const auto size = screen.current_size();
            const server_state* const before = states.size() > 1 ? &states.front() : nullptr;
            screen.show(draw(states.back(), before, how, {size.columns, size.rows}, colored, trouble));
            const char key = screen.wait_for_key(next);
            if (key == 'q' || key == 'Q' || system::received_signal() == SIGINT) return;
            system::throw_if_interrupted();
            how.press(key);
            if (clock::now() >= next) break;
        }
        try {
            states.push_back(state_of(from));
            // Another process may serve now; differences to its predecessor have no meaning.
            if (states.back().started != states.front().started) states.erase(states.begin(), states.end() - 1);
            if (states.size() > kept_states) states.pop_front();
            trouble.clear();
        } catch (const errors::failure& why) {
            trouble = why.message();
        }
        if (next + 1s < clock::now()) next = clock::now();
    }
}

}  // namespace apus::cli::watching
