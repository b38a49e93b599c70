// SPDX-License-Identifier: Apache-2.0
#include "sqlite/file.hpp"

#include "runtime/worker_signals.hpp"
#include "sql/failure.hpp"

#include <apus/log.hpp>

#include <algorithm>

#include <pthread.h>

namespace apus::sqlite {
namespace {

constexpr unsigned most_streams = 16;

error late(const job& j) {
    return sql::make_error({.state = "57014", .message = "the deadline has passed", .statement = j.of.text.sql});
}

// WITH may be followed by INSERT, UPDATE or DELETE.
bool surely_only_reads(std::string_view sql) noexcept {
    const auto from = sql.find_first_not_of(" \t\r\n(");
    return may_only_read(sql) && (sql[from] | 0x20) != 'w';
}

}  // namespace

bool may_only_read(std::string_view sql) noexcept {
    const auto from = sql.find_first_not_of(" \t\r\n(");
    if (from == sql.npos) return false;
    for (const std::string_view word : {"select", "with", "values", "explain"}) {
        const auto text = sql.substr(from, word.size());
        if (std::ranges::equal(text, word, [](char a, char b) { return (a | 0x20) == b; })) return true;
    }
    return false;
}

file::file(std::string path, const sql::database_options& options)
    : path_(std::move(path)), options_(options), in_memory_(path_ == ":memory:"), writer_(options) {}

file::~file() {
    {
        std::lock_guard lock(mutex_);
        stops_ = true;
        for (const auto& j : running_) j->limits.cancelled = true;
    }
    more_writes_.notify_all();
    more_reads_.notify_all();
    for (auto& t : threads_) t.join();
}

bool file::take_stream() noexcept {
    if (streams_.fetch_add(1, std::memory_order_relaxed) < most_streams) return true;
    give_stream_back();
    return false;
}

// The caller holds the lock.
void file::start_threads() {
    const runtime::worker_signals blocked;
    const unsigned readers = in_memory_ ? 0 : options_.connections ? options_.connections : 2;
    try {
        // Each thread sets its own name: the sandbox refuses to set that of another thread (runtime/blocking.cpp).
        threads_.emplace_back([this] {
            pthread_setname_np(pthread_self(), "apus-sql-write");
            write_all();
        });
        for (unsigned i = 0; i < readers; ++i)
            threads_.emplace_back([this] {
                pthread_setname_np(pthread_self(), "apus-sql-read");
                read_all();
            });
    } catch (const std::exception& failed) {  // with fewer threads statements wait longer; without any, `queue` fails
        log::warn("cannot start a thread for SQLite", {"reason", failed.what()}, {"started", threads_.size()});
    }
}

std::optional<error> file::queue(const std::shared_ptr<job>& j) {
    std::lock_guard lock(mutex_);
    if (threads_.empty()) start_threads();
    if (threads_.empty()) return sql::too_busy("cannot start a thread");
    if (j->in && j->what != job::kind::begin) {
        if (j->in->ended)
            return sql::make_error(
                {.state = "25P02", .message = "the transaction has ended", .statement = j->of.text.sql});
        j->in->jobs.push_back(j);
        more_writes_.notify_all();
        return {};
    }
    const bool reads = threads_.size() > 1 && (j->what == job::kind::fetch ||
                                               (j->what == job::kind::statement && may_only_read(j->of.text.sql)));
    auto& line = reads ? reads_ : writes_;
    if (line.size() >= options_.queue) return sql::too_busy("database_options::queue is full");
    line.push_back(j);
    (reads ? more_reads_ : more_writes_).notify_one();
    return {};
}

bool file::remove(std::deque<std::shared_ptr<job>>& from, job& j) noexcept {
    const auto found = std::ranges::find(from, &j, [](const auto& held) { return held.get(); });
    if (found == from.end()) return false;
    from.erase(found);
    return true;
}

void file::abandon(job& j) noexcept {
    std::lock_guard lock(mutex_);
    j.abandoned = true;
    // To interrupt a write would roll back its transaction, which the program may continue.
    if (!j.in || surely_only_reads(j.of.text.sql)) j.limits.cancelled = true;
    if (j.at == job::stage::queued && (remove(writes_, j) || remove(reads_, j))) return;
    if (j.at == job::stage::queued && j.in) remove(j.in->jobs, j);
}

bool file::withdraw(job& j) noexcept {
    std::lock_guard lock(mutex_);
    if (j.at == job::stage::queued && (remove(writes_, j) || remove(reads_, j) || (j.in && remove(j.in->jobs, j))))
        return true;
    j.limits.cancelled = true;
    return false;
}

void file::close(transaction_queue& t) noexcept {
    std::lock_guard lock(mutex_);
    t.closed = true;
    for (const auto& j : running_)
        if (j->in.get() == &t) j->limits.cancelled = true;
    more_writes_.notify_all();
}

// The caller holds the lock, so the waiting task cannot be cancelled meanwhile, and its core still exists.
void file::send(const std::shared_ptr<job>& j, std::unique_lock<std::mutex>&) noexcept {
    std::erase(running_, j);
    j->at = job::stage::sent;
    if (j->abandoned) return;
    j->self = j;
    j->home->post(*j);
}

void file::send_all(const job_list& all) noexcept {
    std::unique_lock lock(mutex_);
    for (const auto& j : all) send(j, lock);
}

void file::read_all() {
    connection own(options_);
    std::unique_lock lock(mutex_);
    for (;;) {
        more_reads_.wait(lock, [this] { return (!reads_.empty() && tried_to_open_) || stops_; });
        if (stops_) return;
        const auto j = std::move(reads_.front());
        reads_.pop_front();
        j->begin();
        running_.push_back(j);
        lock.unlock();
        read(j, own);
        lock.lock();
    }
}

void file::read(const std::shared_ptr<job>& j, connection& own) {
    connection& in = j->from ? j->from->in : own;
    bool writes = false;
    if (j->limits.ended()) {
        j->done.emplace(std::unexpected(late(*j)));
    } else if (auto opened = in.is_open() ? apus::result<void>() : in.open(path_, false); !opened) {
        j->done.emplace(std::unexpected(std::move(opened.error())));
    } else if (j->from) {
        apus::result<void> begun;
        if (j->from->first) begun = in.start(*j->from->first), j->from->first.reset();
        auto rows = begun ? in.fetch(j->from->rows_at_once, j->limits)
                          : apus::result<std::unique_ptr<sql::rows>>(std::unexpected(std::move(begun.error())));
        if (rows) j->done.emplace(sql::outcome{.found = std::move(*rows)});
        else j->done.emplace(std::unexpected(std::move(rows.error())));
    } else {
        j->done.emplace(in.execute(j->of, j->limits, true, writes));
    }
    std::unique_lock lock(mutex_);
    if (!writes || !j->done->has_value()) return send(j, lock);
    // The statement writes, although its first keyword does not show this (`with ... insert`), so the writer executes
    // it.
    std::erase(running_, j);
    j->done.reset();
    j->at = job::stage::queued;
    writes_.push_back(j);
    more_writes_.notify_one();
}

void file::write_all() {
    constexpr std::size_t most_in_group = 512;
    // The writer opens the file before the readers, since only the writer creates the file. If opening fails, each
    // statement reports the error.
    (void)open_writer({});
    std::unique_lock lock(mutex_);
    tried_to_open_ = true;
    more_reads_.notify_all();
    for (;;) {
        more_writes_.wait(lock, [this] { return !writes_.empty() || stops_; });
        if (stops_) return;
        job_list group;
        while (!writes_.empty() && group.size() < most_in_group) {
            const bool begins = writes_.front()->what == job::kind::begin;
            if (begins && !group.empty()) break;
            auto& j = group.emplace_back(std::move(writes_.front()));
            writes_.pop_front();
            j->begin();
            running_.push_back(j);
            if (begins) break;
        }
        lock.unlock();
        if (!open_writer(group)) send_all(group);
        else if (group.front()->what == job::kind::begin) run_transaction(group.front());
        else write_group(group);
        lock.lock();
    }
}

}  // namespace apus::sqlite
