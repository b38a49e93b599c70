// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

struct iovec;

namespace apus::server {

/// A ring buffer of log lines for one producer and one consumer.
/// Memory is committed page by page on first use, so threads that log little use little memory. Both counters only
/// grow; the bytes between them are whole lines. Only the producer changes `written_`, only the consumer `taken_`.
class log_ring {
public:
    /// `bytes` is a power of two. If the memory cannot be allocated, every line is dropped.
    log_ring(std::size_t bytes, std::string thread);
    log_ring(const log_ring&) = delete;
    log_ring& operator=(const log_ring&) = delete;
    ~log_ring();

    const std::string& thread() const noexcept { return thread_; }

    /// Producer only. Returns false and counts the line if it does not fit.
    bool push(std::string_view line) noexcept;
    bool more_than_half_full() const noexcept;                                 ///< Producer only.
    void close() noexcept { closed_.store(true, std::memory_order_release); }  ///< The producer's last call.

    /// Consumer only: stores the unread bytes in at most two pieces, valid until `take`.
    /// Returns the number of pieces.
    int waiting(iovec pieces[2]) const noexcept;
    void take(std::size_t bytes) noexcept;  ///< Releases the room of `bytes` read bytes.
    bool empty() const noexcept;            ///< Consumer only. Sequentially consistent; see `push`.
    bool closed() const noexcept { return closed_.load(std::memory_order_acquire); }
    /// Returns the number of lines dropped since the last call.
    std::uint64_t drops() noexcept { return drops_.exchange(0, std::memory_order_relaxed); }
    /// Returns this number without resetting it. From any thread.
    std::uint64_t dropped() const noexcept { return drops_.load(std::memory_order_relaxed); }

private:
    char* bytes_;
    std::size_t size_;
    std::string thread_;
    alignas(64) std::atomic<std::uint64_t> written_ = 0;
    std::atomic<std::uint64_t> drops_ = 0;
    std::atomic<bool> closed_ = false;
    alignas(64) std::atomic<std::uint64_t> taken_ = 0;
};

}  // namespace apus::server
