// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/log_line.hpp"
#include "server/log_output.hpp"
#include "server/log_ring.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <sys/uio.h>

namespace apus::server {

/// Takes records from any thread and writes them by one of its own, started with the first record.
///
/// A record is formatted by the thread that makes it, into a ring that only that thread fills. When
/// the output takes nothing the rings fill up, and then records are dropped and counted; a line
/// says how many when the output takes lines again. Nobody who records ever waits for the output.
class log_sink {
public:
    struct options {
        int fd = 2;  ///< Stays the caller's.
        log_format format = log_format::json;
        std::size_t ring_bytes = 256 * 1024;  ///< For each thread that records. A power of two.
    };

    explicit log_sink(options);
    log_sink(const log_sink&) = delete;
    log_sink& operator=(const log_sink&) = delete;
    ~log_sink();  ///< Flushes for up to 1 s. No thread may record any more.

    void record(log::level level, std::string_view message, std::span<const log::field> fields) noexcept;

    /// As `log::flush`.
    bool flush(std::chrono::nanoseconds longest) noexcept;

    /// Writes a record past the rings, after those in them have had a moment to be written. Neither
    /// locks nor allocates: for signal handlers of a process that ends. Waits for at most 250 ms.
    void write_now(log::level level, std::string_view message, std::span<const log::field> fields) const noexcept;

private:
    enum class mood : int {
        awake,
        naps,
        sleeps
    };

    log_ring* ring_of_this_thread() noexcept;
    std::shared_ptr<log_ring> open_ring();
    void wake(bool urgent) noexcept;
    void ring_bell() const noexcept;
    void await_bell(int milliseconds) const noexcept;

    void run() noexcept;
    void rest(bool wrote_something) noexcept;
    bool nothing_to_do() noexcept;
    void collect();
    void announce_drops();
    void put_first(char* bytes, std::size_t size);
    void write_batch() noexcept;
    void written(std::size_t bytes) noexcept;
    void lose_batch() noexcept;
    void answer_flush() noexcept;

    const options options_;
    const std::uint64_t id_;
    log_output output_;
    int bell_;  // an eventfd
    std::atomic<mood> mood_ = mood::awake;
    std::atomic<bool> stops_ = false;
    std::atomic<std::uint64_t> no_ring_ = 0;  // records lost for lack of memory or of a thread

    std::mutex mutex_;  // of what follows
    std::vector<std::shared_ptr<log_ring>> rings_;
    std::uint64_t flush_asked_ = 0;
    std::uint64_t flush_done_ = 0;
    std::condition_variable flushed_;

    // Of the writing thread.
    std::vector<std::shared_ptr<log_ring>> writing_;  // keeps alive what `batch_` points into
    std::vector<iovec> batch_;
    std::vector<log_ring*> owners_;  // of each piece of the batch; null: not of a ring
    std::size_t next_ = 0;           // the first piece that is not wholly written
    std::uint64_t flush_seen_ = 0;
    std::uint64_t dropped_ = 0;    // and not said yet
    std::uint64_t announced_ = 0;  // in the batch that is being written
    bool fails_ = false;           // the last batch could not be written
    char last_byte_ = '\n';        // written; if a write failed, the line may have no end
    char note_[log_line_most];

    std::thread thread_;
};

}  // namespace apus::server
