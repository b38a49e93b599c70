// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace apus::jobs {

constexpr int schema_version = 3;  ///< Version of the tables.

/// Statements on the tables of jobs, for one engine.
/// All times are milliseconds since 1970 by the database's clock, so the clocks of nodes do not matter.
struct statements {
    std::string version;                 ///< Returns the version of the tables.
    std::string now;                     ///< Returns the time.
    std::string insert;                  ///< $1 queue, $2 kind, $3 version, $4 payload, $5 delay, $6 priority, $7 key,
                                         ///< $8 trace, $9 lane. Returns id and state.
    std::string find_key;                ///< $1 queue, $2 kind, $3 key.
    std::string claim;                   ///< $1 queue, $2 kinds, $3 count, $4 worker.
    std::string release_unknown;         ///< $1 worker, $2 ids: releases the worker's jobs except these.
    std::string promote;                 ///< $1 queue: makes up to 1,000 due jobs ready.
    std::string unblock;                 ///< PostgreSQL: $1 queue, $2 lane, $3 count: makes the first jobs of the
                                         ///< next lanes ready. Returns how many, and the last lane; null at the end.
    std::string next_due;                ///< $1 queue: milliseconds until the first delayed job is due.
    std::string complete;                ///< $1 id, $2 fence, $3 worker.
    std::string complete_many;           ///< PostgreSQL: $1 ids, $2 fences, $3 worker. SQLite: as `complete`.
    std::string retry;                   ///< $1 id, $2 fence, $3 worker, $4 delay, $5 error.
    std::string release;                 ///< $1 id, $2 fence, $3 worker, $4 delay: the attempt does not count.
    std::string bury;                    ///< $1 id, $2 fence, $3 worker, $4 error: the job becomes a dead letter.
    std::string progress;                ///< $1 id, $2 fence, $3 worker, $4 part, $5 note.
    std::string enlist;                  ///< $1 worker, $2 queue.
    std::string beat;                    ///< $1 worker.
    std::string leave;                   ///< $1 worker.
    std::string workers;                 ///< $1 queue: ids and beats.
    std::string expel;                   ///< $1 worker, $2 beat.
    std::string drop_cancelled_orphans;  ///< $1 queue.
    std::string rescue;                  ///< $1 queue, $2 error.
    std::string cancel;                  ///< $1 id, $2 queue: removes the job unless it is running.
    std::string ask_to_cancel;           ///< $1 id, $2 queue: marks a running job as cancelled.
    std::string cancelled;               ///< $1 worker: jobs to cancel.
    std::string add_tick;                ///< $1 schedule, $2 tick.
    std::string has_ticks;               ///< $1 schedule.
    std::string drop_ticks;              ///< $1 schedule, $2 time.
    std::string add_rate;                ///< $1 queue.
    std::string lock_rate;               ///< $1 queue: returns the time, and the time up to which the rate is used.
    std::string set_rate;                ///< $1 queue, $2 time.
};

/// Returns the statements of an engine, in static storage.
const statements& statements_of(bool postgres);

/// Returns the name of the channel for a queue's notifications.
std::string channel_of(const std::string& queue);

}  // namespace apus::jobs
