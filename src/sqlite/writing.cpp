// SPDX-License-Identifier: Apache-2.0
#include "sql/failure.hpp"
#include "sqlite/file.hpp"

#include <algorithm>
#include <chrono>

namespace apus::sqlite {
namespace {

error failed_reference(const job& j) {
    return sql::make_error({.state = "23503",
                            .message = "a deferred foreign key is violated at the end of the transaction",
                            .statement = j.of.text.sql});
}

void fail_all(const std::vector<std::shared_ptr<job>>& all, const error& why) {
    for (const auto& j : all) j->done.emplace(std::unexpected(why));
}

}  // namespace

bool file::open_writer(const job_list& group) {
    if (writer_.is_open()) return true;
    auto opened = writer_.open(path_, true);
    if (!opened) fail_all(group, opened.error());
    return opened.has_value();
}

apus::result<sql::outcome> file::execute_one(job& j) {
    bool writes = false;
    if (j.limits.ended())
        return std::unexpected(
            sql::make_error({.state = "57014", .message = "the deadline has passed", .statement = j.of.text.sql}));
    if (j.what == job::kind::statement) return writer_.execute(j.of, j.limits, false, writes);
    if (j.what == job::kind::script || j.what == job::kind::undo) {
        auto done = writer_.execute_script(std::string(j.of.text.sql), &j.limits);
        if (!done) return std::unexpected(std::move(done.error()));
        return sql::outcome();
    }
    sql::outcome sum;
    for (const auto& values : j.all.values) {
        auto done = writer_.execute({.text = j.all.text, .values = values}, j.limits, false, writes);
        if (!done) return done;
        sum.changed += done->changed;
    }
    return sum;
}

// Executes a job of a group in a savepoint, so that a failed job leaves no changes. Returns false if the whole
// transaction was rolled back.
bool file::execute_member(job& j, bool alone) {
    const bool saved = !alone || j.what != job::kind::statement;
    if (saved) (void)writer_.execute_script("savepoint apus_member", nullptr);
    j.done.emplace(execute_one(j));
    if (!writer_.in_transaction()) return false;
    if (j.done->has_value() && writer_.has_open_references()) j.done.emplace(std::unexpected(failed_reference(j)));
    if (!saved) return true;
    if (!j.done->has_value()) (void)writer_.execute_script("rollback to apus_member", nullptr);
    (void)writer_.execute_script("release apus_member", nullptr);
    return true;
}

// Returns false if nothing was committed and the remaining jobs of the group must be executed again.
bool file::try_group(job_list& group) {
    auto begun = writer_.execute_script("begin immediate", nullptr);
    if (!begun) return fail_all(group, begun.error()), true;
    const bool alone = group.size() == 1;
    for (std::size_t i = 0; i < group.size(); ++i) {
        if (execute_member(*group[i], alone)) continue;
        // A full disk, or a deadline within a statement, rolls back the whole transaction. Only this job fails; the
        // other jobs are executed again.
        send_all({group[i]});
        group.erase(group.begin() + static_cast<std::ptrdiff_t>(i));
        return group.empty();
    }
    if (alone && !group.front()->done->has_value()) {
        (void)writer_.execute_script("rollback", nullptr);
        return true;
    }
    auto committed = writer_.execute_script("commit", nullptr);
    if (committed) return true;
    if (writer_.in_transaction()) (void)writer_.execute_script("rollback", nullptr);
    for (const auto& j : group)
        if (j->done->has_value()) j->done.emplace(std::unexpected(committed.error()));
    return true;
}

void file::write_group(job_list& group) {
    while (!try_group(group)) {}
    send_all(group);
}

// Executes one step of a transaction. Returns true if the transaction continues.
bool file::run_step(job& j) {
    if (j.what == job::kind::commit || j.what == job::kind::rollback) {
        const bool commits = j.what == job::kind::commit;
        auto done = writer_.execute_script(commits ? "commit" : "rollback", nullptr);
        if (!done && writer_.in_transaction()) (void)writer_.execute_script("rollback", nullptr);
        if (done || !commits) j.done.emplace(sql::outcome());
        else j.done.emplace(std::unexpected(std::move(done.error())));
        return false;
    }
    const bool saved = j.what == job::kind::batch;
    if (saved) (void)writer_.execute_script("savepoint apus_step", nullptr);
    j.done.emplace(execute_one(j));
    if (!writer_.in_transaction() || (j.what == job::kind::undo && !j.done->has_value())) return false;
    if (saved && !j.done->has_value()) (void)writer_.execute_script("rollback to apus_step", nullptr);
    if (saved) (void)writer_.execute_script("release apus_step", nullptr);
    return true;
}

void file::run_transaction(const std::shared_ptr<job>& begin) {
    const auto in = begin->in;
    auto begun = writer_.execute_script("begin immediate", nullptr);
    if (begun) begin->done.emplace(sql::outcome());
    else begin->done.emplace(std::unexpected(std::move(begun.error())));
    std::unique_lock lock(mutex_);
    in->ended = !writer_.in_transaction();
    send(begin, lock);
    const auto idle = std::chrono::milliseconds(options_.idle_transaction_timeout.milliseconds());
    while (!in->ended) {
        const bool woken = more_writes_.wait_for(lock, idle, [&] { return !in->jobs.empty() || in->closed || stops_; });
        if (!woken || stops_ || in->jobs.empty()) break;
        const auto j = std::move(in->jobs.front());
        in->jobs.pop_front();
        j->begin();
        running_.push_back(j);
        lock.unlock();
        const bool goes_on = run_step(*j);
        lock.lock();
        in->ended = !goes_on;
        send(j, lock);
    }
    in->ended = true;
    while (!in->jobs.empty()) {
        const auto j = std::move(in->jobs.front());
        in->jobs.pop_front();
        j->done.emplace(std::unexpected(sql::make_error({.state = "25P03", .message = "the transaction has ended"})));
        send(j, lock);
    }
    lock.unlock();
    if (writer_.in_transaction()) (void)writer_.execute_script("rollback", nullptr);
}

}  // namespace apus::sqlite
