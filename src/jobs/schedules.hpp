// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jobs/cron.hpp"
#include "jobs/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace apus::jobs {

/// The schedules of a queue.
class schedule_list {
public:
    /// Throws the exceptions of `queue::schedule`.
    void add(std::string_view name, std::string_view expression, detail::job_type, std::string payload,
             const schedule_options&);

    /// Adds jobs at the ticks of all schedules until the task is cancelled.
    task<> run(const store& in);

private:
    struct schedule {
        std::string name;
        cron when;
        detail::job_type type;
        std::string payload;
        schedule_options how;
        std::int64_t done = INT64_MIN;  // the last tick that is in the database, in seconds
    };

    task<> fire_due(const store& in, std::int64_t now);

    std::vector<schedule> all_;
};

}  // namespace apus::jobs
