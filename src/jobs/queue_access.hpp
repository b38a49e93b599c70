// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/jobs.hpp>

namespace apus::jobs::detail {

/// Access to the functions of `queue` for jobs whose names are known only at run time.
struct queue_access {
    static void add(const queue& to, job_type type, erased_handler call, const handler_options& how) {
        to.add(type, call, how);
    }
    /// The name in `type` must be valid until the task ends.
    static task<enqueued> insert(const queue& to, const sql::executor& in, job_type type, std::string payload,
                                 enqueue_options how) {
        return to.insert(in, type, std::move(payload), std::move(how));
    }
};

}  // namespace apus::jobs::detail
