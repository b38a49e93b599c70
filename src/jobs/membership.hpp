// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jobs/attempt.hpp"

#include <list>
#include <map>
#include <string>

namespace apus::jobs {

/// Observes the heartbeats of nodes.
/// A node is dead if it has the same beat for the lease, by the clock of the observer. So neither the clocks of nodes
/// nor that of the database matter.
class beat_observer {
public:
    explicit beat_observer(std::uint64_t lease) noexcept : lease_(lease) {}  ///< In milliseconds.

    /// Takes the rows that were read at `now`, and returns the dead nodes.
    /// After a pause of a lease between two reads, for example while the database was unreachable, the observation
    /// begins anew: nodes may not have been able to beat.
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

/// The lease of this node.
/// Its row in the table of nodes, its heartbeats, and the rescue of dead nodes' jobs.
class membership {
public:
    membership(const store& in, std::list<detail::attempt>& running, const duration& lease);

    const std::string& id() const noexcept { return id_; }
    bool is_valid() const noexcept;  ///< Whether this node may claim and run jobs.
    task<> join();                   ///< Enters the table of nodes under a new id.
    task<> leave();                  ///< For good.

    /// Renews the lease and rescues jobs until it is cancelled.
    task<> run();
    void check_now() noexcept { wake_.set(); }  ///< Looks for cancelled jobs now.

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
