// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operations/exposition.hpp"
#include "operations/route_metrics.hpp"
#include "runtime/instruments.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace apus::operations {

/// Numbers of libraries (`runtime::instrument_group`), added up over cores.
class library_metrics {
public:
    void add(const runtime::instrument_list&);
    void write(exposition&) const;

private:
    struct merged {
        const runtime::instrument_set* set;
        std::vector<std::string> labels;
        std::vector<std::uint64_t> cells;
        std::vector<duration_sum> histograms;
    };
    void write_samples(exposition&, const merged&, const runtime::instrument&) const;

    std::vector<merged> groups_;  // groups of one set are adjacent
};

}  // namespace apus::operations
