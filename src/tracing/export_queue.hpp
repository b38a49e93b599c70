// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/counter.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace apus::tracing {

/// Counters of a queue. Written by the core of the queue only, read by any thread.
struct export_counts {
    base::counter exported;
    base::counter dropped;  ///< Items for which there was too little room, and spans of traces with too many spans.
    base::counter failed;   ///< Items that the receiver rejected or did not acknowledge.
};

/// Notified when an item is added to a queue.
class queue_listener {
public:
    virtual void item_queued() noexcept = 0;

protected:
    ~queue_listener() = default;
};

/// Encoded spans or log records of one core that wait for their export, limited by bytes.
class export_queue {
public:
    /// Memory of the queue and the allocator per item, which counts against the limit.
    static constexpr std::size_t item_overhead = sizeof(std::string) + 16;

    explicit export_queue(std::size_t limit) noexcept : limit_(limit) {}
    export_queue(const export_queue&) = delete;
    export_queue& operator=(const export_queue&) = delete;

    void push(std::string item) noexcept;  ///< Adds an encoded item, or drops it if the queue is full.
    /// Counts the memory of an ended span that may be pushed later.
    /// Returns false if there is too little room. Held items use at most half of the limit, so that traces that stay
    /// undecided for long do not fill the queue.
    bool hold(std::size_t bytes) noexcept;
    void end_hold(std::size_t bytes, std::size_t items) noexcept;  ///< Of items for which `hold` returned true.
    void drop(std::uint64_t items) noexcept { counts.dropped += items; }
    std::size_t waiting() const noexcept { return items_.size(); }
    void close() noexcept;  ///< Waiting items, and items that are pushed later, count as failed.
    /// Removes and returns the oldest items: at most `most` items, of about `bytes` bytes in total.
    std::vector<std::string> take(std::size_t most, std::size_t bytes);

    export_counts counts;
    queue_listener* listener = nullptr;

protected:
    ~export_queue() = default;

private:
    const std::size_t limit_;
    std::deque<std::string> items_;
    std::size_t bytes_ = 0, held_ = 0;
    bool closed_ = false;
};

}  // namespace apus::tracing
