// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/instruments.hpp"

#include <string_view>

// Numbers of job queues for `/metrics`.

namespace apus::jobs {

enum job_cell : unsigned {
    jobs_completed,
    jobs_retried,
    jobs_dead,
    jobs_released,
    jobs_started,
    jobs_running,
    job_cells
};
enum job_histogram : unsigned {
    attempt_durations,
    start_delays
};

inline constexpr std::string_view queue_labels[] = {"queue"};
inline constexpr std::string_view ended_name = "apus_jobs_ended_total";
inline constexpr runtime::instrument job_instruments[] = {
    runtime::instrument::counter("apus_jobs_started_total", "Attempts of jobs that this process has begun.",
                                 jobs_started),
    runtime::instrument::counter(ended_name, "Attempts of jobs by outcome.", jobs_completed, "outcome", "completed"),
    runtime::instrument::counter(ended_name, {}, jobs_retried, "outcome", "retried"),
    runtime::instrument::counter(ended_name, {}, jobs_dead, "outcome", "dead_letter"),
    runtime::instrument::counter(ended_name, {}, jobs_released, "outcome", "released"),
    runtime::instrument::gauge("apus_jobs_running", "Attempts of jobs that run.", jobs_running),
    runtime::instrument::durations("apus_jobs_duration_seconds", "Durations of attempts of jobs.", attempt_durations),
    runtime::instrument::durations("apus_jobs_delay_seconds",
                                   "Time from the moment when a job was due until its attempt began.", start_delays),
};
inline constexpr runtime::instrument_set job_counts{queue_labels, job_instruments, job_cells};

}  // namespace apus::jobs
