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

/// Lines on their way from one thread to the one that writes them. Memory is taken from the
/// kernel page by page as it is first written to, so a thread that logs little costs little.
///
/// Both counts only grow; what lies between them is whole lines that wait. `written_` belongs to
/// the thread that records, `taken_` to the one that writes.
class log_ring {
public:
    /// `bytes` is a power of two. Without memory the ring has no room at all.
    log_ring(std::size_t bytes, std::string thread);
    log_ring(const log_ring&) = delete;
    log_ring& operator=(const log_ring&) = delete;
    ~log_ring();

    const std::string& thread() const noexcept { return thread_; }

    /// For the recording thread. False, and counted, if there is no room for the whole line.
    bool push(std::string_view line) noexcept;
    bool more_than_half_full() const noexcept;                                 ///< For the recording thread.
    void close() noexcept { closed_.store(true, std::memory_order_release); }  ///< Its last call.

    /// For the writing thread: what waits, in at most two pieces, valid until `take`. The number of pieces.
    int waiting(iovec pieces[2]) const noexcept;
    void take(std::size_t bytes) noexcept;  ///< Gives the room of so many bytes back.
    bool empty() const noexcept;            ///< Also seen in order with the writer's announcement that it sleeps.
    bool closed() const noexcept { return closed_.load(std::memory_order_acquire); }
    std::uint64_t drops() noexcept { return drops_.exchange(0, std::memory_order_relaxed); }  ///< Since the last call.
    bool dropped() const noexcept { return drops_.load(std::memory_order_relaxed) != 0; }

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
