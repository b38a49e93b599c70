// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"
#include "sqlite/connection.hpp"

#include <coroutine>
#include <memory>
#include <optional>

namespace apus::sqlite {

class file;

/// Statements of one transaction, in order of arrival. The file's lock guards the queue.
struct transaction_queue;

/// The connection that a stream reads from.
struct reading {
    explicit reading(const sql::database_options& options) : in(options) {}
    connection in;
    std::optional<sql::statement> first;  // set until the statement is started
    std::size_t rows_at_once = 0;
};

/// A job for a thread of a file. Created by a core, and shared with the thread.
/// The file's lock guards `at`, `abandoned` and `self` until the posted call runs.
struct job : runtime::posted_call {
    enum class kind : unsigned char {
        statement,
        batch,
        script,
        begin,
        commit,
        rollback,
        undo,  ///< A script that must not fail: otherwise, the transaction is rolled back.
        fetch
    };
    enum class stage : unsigned char {
        queued,
        running,
        sent
    };

    explicit job(kind k) noexcept : posted_call{nullptr, arrived}, what(k) {}

    const kind what;
    sql::statement of = {};
    sql::batch all = {};
    std::shared_ptr<transaction_queue> in = nullptr;  // null outside a transaction
    std::shared_ptr<reading> from = nullptr;
    control limits;

    std::optional<apus::result<sql::outcome>> done = {};

    runtime::loop* home = nullptr;
    std::coroutine_handle<> waiter = {};
    stage at = stage::queued;
    std::uint64_t started = 0;  // when a thread took the job, in ms of CLOCK_MONOTONIC
    bool abandoned = false;
    std::shared_ptr<job> self = nullptr;  // set while the call is posted

    /// Called by a thread that takes the job, under the file's lock.
    void begin() noexcept {
        at = stage::running;
        started = runtime::coarse_clock().now();
    }

private:
    static void arrived(posted_call& l) noexcept {
        const auto held = std::move(static_cast<job&>(l).self);
        if (!held->abandoned) held->waiter.resume();
    }
};

}  // namespace apus::sqlite
