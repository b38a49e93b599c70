// SPDX-License-Identifier: Apache-2.0
#include "jobs/outcomes.hpp"

#include <apus/log.hpp>
#include <apus/sleep.hpp>

#include <algorithm>

namespace apus::jobs {

void outcome_writer::add(outcome what) {
    waiting_.push_back(std::move(what));
    added_.set();
}

// Returns the number of outcomes to store by the next statement: up to 500 completions of one worker, or one outcome of
// another kind.
std::size_t outcome_writer::next_batch() const noexcept {
    constexpr std::size_t most = 500;
    std::size_t count = 0;
    while (count < waiting_.size() && count < most && waiting_[count].what == outcome::kind::completed &&
           waiting_[count].of->key().worker == waiting_[0].of->key().worker)
        ++count;
    return std::max<std::size_t>(count, 1);
}

void outcome_writer::remove(std::list<detail::attempt>::iterator ended) noexcept {
    freed_ = freed_ || ended->holds_back_others;
    running_.erase(ended);
}

void outcome_writer::remove_committed(wake_signal& done) {
    const auto removed = std::erase_if(waiting_, [this](const outcome& each) {
        if (each.what != outcome::kind::committed) return false;
        remove(each.of);
        return true;
    });
    if (removed != 0) done.set();
}

task<> outcome_writer::write(std::size_t count) {
    const outcome& first = waiting_.front();
    const claim_key& of = first.of->key();
    std::int64_t changed = 0;
    switch (first.what) {
        case outcome::kind::completed: {
            std::vector<claim_key> all;
            all.reserve(count);
            for (std::size_t i = 0; i < count; ++i) all.push_back(waiting_[i].of->key());
            changed = co_await to_.complete_all(std::move(all));
            break;
        }
        case outcome::kind::committed: co_return;
        case outcome::kind::retried: changed = co_await to_.retry(of, first.delay, first.why); break;
        case outcome::kind::released: changed = co_await to_.release(of, first.delay); break;
        case outcome::kind::buried: changed = co_await to_.bury(of, first.why); break;
    }
    // `lost` may be too large: if a statement was repeated, its first execution may have changed the rows.
    const auto lost = static_cast<std::int64_t>(count) - changed;
    if (lost > 0) log::warn("jobs ended after another node took them", {"jobs", lost}, {"queue", to_.queue()});
}

task<> outcome_writer::run(wake_signal& done) {
    constexpr std::int64_t shortest = 100, longest = 5'000;  // milliseconds
    std::int64_t pause = shortest;
    while (true) {
        remove_committed(done);
        if (waiting_.empty()) {
            co_await added_.wait();
            continue;
        }
        const std::size_t count = next_batch();
        const auto written = co_await write(count).outcome();
        if (written) {
            pause = shortest;
            for (std::size_t i = 0; i < count; ++i) {
                remove(waiting_.front().of);
                waiting_.pop_front();
            }
            done.set();
            continue;
        }
        log::error("cannot store the outcome of jobs", {"jobs", waiting_.size()}, {"queue", to_.queue()},
                   {"reason", written.error().detail()}, {"cause", written.error().cause()});
        co_await sleep_for(milliseconds(pause));
        pause = std::min(pause * 2, longest);
    }
}

}  // namespace apus::jobs
