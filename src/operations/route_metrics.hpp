// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/duration_counts.hpp"
#include "base/duration_histogram.hpp"
#include "http/metrics.hpp"
#include "operations/exposition.hpp"
#include "web/application.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace apus::operations {

/// Durations of several cores, added up.
class duration_sum {
public:
    void add(const base::duration_histogram&);
    void add(const base::duration_counts&);  ///< The sum is then also written as a native histogram.
    void add(const http::exemplar_set&);
    void write(exposition&, sample_labels) const;

private:
    std::array<std::uint64_t, base::duration_histogram::buckets> counts_{};
    std::vector<std::uint64_t> native_;  // empty before the first duration
    bool is_native_ = false;
    std::vector<http::exemplar> exemplars_;  // empty, or the newest of each bucket
    std::uint64_t nanoseconds_ = 0;
};

/// Requests of each route, added up over cores.
/// The number of series depends on the program only: requests without a route are counted together, whatever their
/// method and path.
class route_metrics {
public:
    void add(const web::application&, const http::metrics&);
    void write(exposition&) const;

private:
    struct figures {
        std::array<std::uint64_t, 6> responses{};
        std::uint64_t received = 0, sent = 0;
        duration_sum durations;

        void add(const http::route_counters&);
    };
    using name = std::pair<std::string, std::string>;  // route, method
    std::map<name, figures> routes_;
};

}  // namespace apus::operations
