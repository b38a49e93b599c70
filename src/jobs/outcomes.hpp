// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jobs/attempt.hpp"

#include <cstdint>
#include <deque>
#include <list>
#include <string>
#include <utility>

namespace apus::jobs {

/// The outcome of an attempt, to be stored.
struct outcome {
    enum class kind : unsigned char {
        completed,
        committed,  ///< Completed by the transaction of the handler: nothing is left to store.
        retried,
        released,  ///< Returned to the queue. The attempt does not count.
        buried     ///< Made a dead letter.
    };
    kind what;
    std::list<detail::attempt>::iterator of;
    std::int64_t delay = 0;  ///< Milliseconds until the next attempt.
    std::string why = {};
};

/// Stores the outcomes of attempts, and removes the attempts from the list of running ones.
/// Completions are stored in batches. Repeats failed statements, so that no outcome is lost while the database is
/// unreachable.
class outcome_writer {
public:
    outcome_writer(const store& to, std::list<detail::attempt>& running) noexcept : to_(to), running_(running) {}

    void add(outcome what);
    /// Stores outcomes until the task is cancelled. Sets `done` after each write.
    task<> run(wake_signal& done);

    /// Returns whether an attempt with `holds_back_others` has ended since the last call.
    bool take_freed() noexcept { return std::exchange(freed_, false); }

private:
    task<> write(std::size_t count);
    std::size_t next_batch() const noexcept;
    void remove(std::list<detail::attempt>::iterator ended) noexcept;
    void remove_committed(wake_signal& done);

    const store& to_;
    std::list<detail::attempt>& running_;
    std::deque<outcome> waiting_;
    wake_signal added_;
    bool freed_ = false;
};

}  // namespace apus::jobs
