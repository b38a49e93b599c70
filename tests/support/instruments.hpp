// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"

#include <cstdint>
#include <string_view>

namespace apus::test {

/// Returns a number of a library on this core, added up over all its groups; 0 if there is none.
/// `value`: value of the instrument's label. For a histogram, returns the number of observations.
inline std::uint64_t counted(std::string_view name, std::string_view value = {}) {
    using runtime::instrument;
    std::uint64_t sum = 0;
    runtime::loop::current().instruments().each([&](const runtime::instrument_group& g) {
        for (const instrument& one : g.set().all) {
            if (one.name != name || one.value != value) continue;
            if (one.of != instrument::type::durations) {
                sum += g.load(one.cell);
                continue;
            }
            for (const auto& count : g.durations(one.cell).fixed().counts) sum += count;
        }
    });
    return sum;
}

}  // namespace apus::test
