// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/counter.hpp"
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

/// Accepts records from any thread and writes them on its own thread, which starts on first use.
/// The calling thread formats the record into its own ring, and never waits. If the output blocks, rings fill up, and
/// further records are dropped and counted. When the output accepts bytes again, a line reports the count.
class log_sink {
public:
    struct options {
        int fd = 2;  ///< Not owned.
        log_format format = log_format::json;
        std::size_t ring_bytes = 256 * 1024;  ///< Size of each thread's ring. A power of two.
    };

    explicit log_sink(options);
    log_sink(const log_sink&) = delete;
    log_sink& operator=(const log_sink&) = delete;
    ~log_sink();  ///< Flushes for up to 1 s. No thread may record during or after destruction.

    void record(log::level level, std::string_view message, std::span<const log::field> fields) noexcept;

    /// Returns the number of records dropped so far, also while the output is blocked. From any thread.
    std::uint64_t dropped_in_total() const noexcept;

    /// See `log::flush`.
    bool flush(std::chrono::nanoseconds longest) noexcept;

    /// Writes a record directly to the output, after 50 ms in which the writer can empty the rings.
    /// For signal handlers that run before the process ends: does not lock or allocate. Takes at most 250 ms.
    void write_now(log::level level, std::string_view message, std::span<const log::field> fields) const noexcept;

private:
    enum class writer_state : int {
        running,
        polling,
        sleeping
    };

    log_ring* thread_ring() noexcept;
    std::shared_ptr<log_ring> open_ring();
    void wake(bool urgent) noexcept;
    void wake_writer() const noexcept;
    void await_wakeup(int milliseconds) const noexcept;

    void run() noexcept;
    void rest(bool wrote_something) noexcept;
    bool is_idle() noexcept;
    bool collect() noexcept;
    std::uint64_t take_drops();
    void report_drops();
    void put_first(char* bytes, std::size_t size);
    void write_batch() noexcept;
    void written(std::size_t bytes) noexcept;
    void drop_batch() noexcept;
    void answer_flush() noexcept;

    const options options_;
    const std::uint64_t id_;
    log_output output_;
    int wakeup_;  // an eventfd
    std::atomic<writer_state> state_ = writer_state::running;
    std::atomic<bool> stops_ = false;
    std::atomic<std::uint64_t> no_ring_ = 0;  // records lost because memory or a thread was unavailable

    mutable std::mutex mutex_;  // guards the members below
    std::vector<std::shared_ptr<log_ring>> rings_;
    std::uint64_t flush_asked_ = 0;
    std::uint64_t flush_done_ = 0;
    std::condition_variable flushed_;

    // Used only by the writer thread.
    std::vector<std::shared_ptr<log_ring>> writing_;  // keeps the rings of `batch_` alive
    std::vector<iovec> batch_;
    std::vector<log_ring*> owners_;  // the ring of each piece of the batch; null if the piece has no ring
    std::size_t next_ = 0;           // the first piece that is not completely written
    std::uint64_t flush_seen_ = 0;
    std::uint64_t dropped_ = 0;    // records not reported yet
    std::uint64_t announced_ = 0;  // dropped records that the current batch reports
    base::counter total_;          // dropped records that the writer has noticed so far
    bool fails_ = false;           // the last batch could not be written
    char last_byte_ = '\n';        // last byte written; not LF if a write failed within a line
    char note_[max_log_line];

    std::thread thread_;
};

}  // namespace apus::server
