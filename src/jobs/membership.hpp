// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jobs/attempt.hpp"

#include <list>
#include <map>
#include <string>

namespace apus::jobs {

/// Observes the heartbeats of nodes.
/// A node is dead if its beat has not changed for the time of a lease, by the clock of the observer. The clocks of
/// other nodes and of the database are not used.
class beat_observer {
public:
    explicit beat_observer(std::uint64_t lease) noexcept : lease_(lease) {}  ///< In milliseconds.

    /// Takes the rows that were read at `now`, and returns the dead nodes.
    /// If the time of a lease or more passes between two reads, for example while the database is unreachable, the
    /// observation starts again, since nodes may have been unable to write their beats.
    std::vector<worker_row> dead(const std::vector<worker_row>& rows, std::uint64_t now);

private:
    struct seen {
        std::int64_t beat;
        std::uint64_t since;
    };
    std::uint64_t lease_;
    std::uint64_t last_read_ = 0;
    std::map<std::string, seen> known_;
};

/// Manages the lease of this node: its row in the table of nodes, and its heartbeats.
/// Also rescues jobs: returns the jobs of dead nodes to the queue.
class membership {
public:
    membership(const store& in, std::list<detail::attempt>& running, const duration& lease);

    const std::string& id() const noexcept { return id_; }
    bool is_valid() const noexcept;  ///< Whether this node may claim and run jobs.
    task<> join();                   ///< Adds this node to the table of nodes under a new id.
    task<> leave();                  ///< Removes this node from the table. The node cannot join again.

    /// Renews the lease and rescues jobs until the task is cancelled.
    task<> run();
    void check_now() noexcept { wake_.set(); }  ///< Makes `run` look for cancelled jobs immediately.

private:
    task<> renew();
    task<> rescue();
    task<> beat_and_rescue();
    task<> end_cancelled();
    void check_lease() noexcept;
    void lose(const char* why) noexcept;

    const store& store_;
    std::list<detail::attempt>& running_;
    const std::uint64_t lease_;  // milliseconds
    std::string id_;
    bool left_ = false;
    std::uint64_t renewed_ = 0;
    wake_signal wake_;
    beat_observer others_;
};

}  // namespace apus::jobs
