// SPDX-License-Identifier: Apache-2.0
// The load generator. It compares Apus with other servers, so it uses no code of Apus.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>

#include "driver.hpp"
#include "idle.hpp"
#include "options.hpp"
#include "network.hpp"
#include "report.hpp"

namespace {

struct outcome {
    load::results measured, warmed_up;
};

load::driver::share share_of(const load::options& o, unsigned thread, std::size_t batches) {
    const unsigned connections = o.connections / o.threads + (thread < o.connections % o.threads ? 1 : 0);
    return {.connections = connections,
            .rate = o.rate * connections / o.connections,
            .first_batch = batches * thread / o.threads,
            .marks = o.marks && thread == 0};
}

outcome run(const load::options& o) {
    const auto batches = load::batches(o);
    const auto handshake = load::handshake(o);
    std::barrier<> together(o.threads);
    std::vector<outcome> outcomes(o.threads);
    {
        std::vector<std::jthread> threads;
        threads.reserve(o.threads);
        for (unsigned i = 0; i < o.threads; ++i) {
            threads.emplace_back([&, i] {
                try {
                    load::driver driver(o, batches, handshake, share_of(o, i, batches.size()));
                    driver.run(together);
                    outcomes[i] = {driver.measured(), driver.warmed_up()};
                } catch (const std::exception& failed) {
                    std::fprintf(stderr, "load: %s.\n", failed.what());
                    std::_Exit(1);
                }
            });
        }
    }
    outcome all;
    for (const auto& one : outcomes) {
        all.measured.add(one.measured);
        all.warmed_up.add(one.warmed_up);
    }
    return all;
}

}  // namespace

int main(int count, char** words) {
    auto options = load::read_command_line(count, words);
    load::make_room_for(options.connections);
    if (options.idle) return load::stay_idle(options) == options.connections ? 1 : 0;
    options.way = options.wanted_way.value_or(load::way_that_works());
    const auto all = run(options);
    load::print_report(options, all.measured, all.warmed_up);
    return all.measured.requests > 0 ? 0 : 1;
}
