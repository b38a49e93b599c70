// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sqlite/job.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace apus::sqlite {

struct transaction_queue {
    std::deque<std::shared_ptr<job>> jobs;
    bool closed = false;  ///< The transaction's owner was destroyed.
    bool ended = false;   ///< The transaction was committed, was rolled back, or has taken too long.
};

/// A database file: one writer thread and several reader threads.
/// Concurrent writes share a SQLite transaction, each in its own savepoint. The writes complete when this transaction
/// is durable.
class file {
public:
    file(std::string path, const sql::database_options& options);
    file(const file&) = delete;
    file& operator=(const file&) = delete;
    ~file();  ///< Ends running statements, and joins the threads.

    /// Queues a job whose waiting task is set. Returns the error if the job is rejected.
    std::optional<error> queue(const std::shared_ptr<job>&);

    /// Called when the waiting task is destroyed: removes a queued job, or interrupts a running job.
    void abandon(job&) noexcept;
    /// Called at the deadline. If the job has not begun, removes the job and returns true.
    /// Otherwise interrupts the job, which then completes, and returns false.
    bool withdraw(job&) noexcept;
    void close(transaction_queue&) noexcept;

    bool in_memory() const noexcept { return in_memory_; }
    const sql::database_options& options() const noexcept { return options_; }
    const std::string& path() const noexcept { return path_; }
    bool take_stream() noexcept;  ///< Counts a stream; returns false if too many are open.
    void give_stream_back() noexcept { streams_.fetch_sub(1, std::memory_order_relaxed); }

private:
    using job_list = std::vector<std::shared_ptr<job>>;

    void start_threads();
    void write_all();
    void read_all();
    bool open_writer(const job_list&);
    void write_group(job_list&);
    bool try_group(job_list&);
    bool execute_member(job&, bool alone);
    apus::result<sql::outcome> execute_one(job&);
    void run_transaction(const std::shared_ptr<job>& begin);
    bool run_step(job&);
    void read(const std::shared_ptr<job>&, connection&);
    void send(const std::shared_ptr<job>&, std::unique_lock<std::mutex>&) noexcept;
    void send_all(const job_list&) noexcept;
    bool remove(std::deque<std::shared_ptr<job>>&, job&) noexcept;

    const std::string path_;
    const sql::database_options options_;
    const bool in_memory_;

    std::mutex mutex_;
    std::condition_variable more_writes_, more_reads_;
    std::deque<std::shared_ptr<job>> writes_, reads_;
    std::vector<std::shared_ptr<job>> running_;
    bool stops_ = false;
    bool tried_to_open_ = false;
    std::vector<std::thread> threads_;
    std::atomic<unsigned> streams_ = 0;

    connection writer_;  // used by the writer thread
};

/// Whether a statement may be read-only, according to its first keyword.
bool may_only_read(std::string_view sql) noexcept;

}  // namespace apus::sqlite
