// SPDX-License-Identifier: Apache-2.0
#include "jobs/attempt.hpp"

#include <apus/sql/table.hpp>

#include <algorithm>
#include <cmath>

namespace apus::jobs {
namespace detail {

task<> attempt::wait_for_end(std::uint64_t deadline) {
    if (!co_await ended_.wait(deadline)) end(attempt_end::deadline);
}

task<sql::executor> attempt::transaction() {
    if (!open_) open_.emplace(co_await in_.db().begin());
    co_return *open_;
}

task<> attempt::commit() {
    if (co_await in_.complete(*open_, key_) == 0) {
        end(attempt_end::lease_lost);
        co_await fail(409, "another node has taken the job");
    }
    co_await open_->commit();
    committed_ = true;
    open_.reset();
}

task<> attempt::roll_back() {
    if (!open_) co_return;
    (void)co_await open_->rollback().outcome();
    open_.reset();
}

task<> attempt::progress(double part, std::string note) {
    if (!std::isfinite(part)) co_await fail(500, "the progress of a job must be a number from 0 to 1");
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    std::size_t size = std::min<std::size_t>(note.size(), 200);
    while (size < note.size() && size > 0 && (note[size] & 0xc0) == 0x80) --size;  // does not split a UTF-8 sequence
    note.resize(size);
    // SQLite allows one writer, so while the handler's transaction is open, the progress is written in that
    // transaction.
    const bool in_transaction = open_ && !in_.is_postgres();
    const sql::executor& to = in_transaction ? static_cast<const sql::executor&>(*open_) : in_.own_connection();
    if (co_await in_.progress(to, key_, part, note) != 0) co_return;
    end(attempt_end::lease_lost);
    co_await fail(409, "another node has taken the job");
}

failure unreadable(context& c, const error& why) {
    std::string reason = "the stored job does not match its struct: " + why.detail();
    if (const auto all = why.member("errors"); !all.empty()) reason.append(": ").append(all);
    return c.discard(std::move(reason));
}

}  // namespace detail

std::int64_t context::id() const noexcept { return of_.job().id; }

unsigned context::attempt() const noexcept { return static_cast<unsigned>(of_.job().attempt); }

task<jobs::transaction> context::transaction() {
    const sql::executor in = co_await of_.transaction();
    co_return jobs::transaction(sql::detail::session_access::of(in));
}

task<> context::progress(double done, std::string_view note) { return of_.progress(done, std::string(note)); }

failure context::discard(std::string why) {
    of_.discard();
    return fail(500, std::move(why));
}

failure context::retry_after(duration least, std::string why) {
    of_.delay_retry(least.milliseconds());
    return fail(503, std::move(why));
}

}  // namespace apus::jobs
