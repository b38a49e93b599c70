// SPDX-License-Identifier: Apache-2.0
#include "sql/engine.hpp"

#include "runtime/loop.hpp"
#include "sql/copy.hpp"
#include "sql/failure.hpp"
#include "sql/notification_hub.hpp"
#include "sqlite/file.hpp"

#include <new>
#include <stdexcept>
#include <utility>

namespace apus::sqlite {
namespace {

using sql::outcome;
using sql::statement;

// Waits for a job. Destruction abandons the job.
class job_wait : runtime::timer {
public:
    job_wait(std::shared_ptr<file> in, std::shared_ptr<job> what) : in_(std::move(in)), job_(std::move(what)) {
        fire = [](runtime::timer& t) noexcept { static_cast<job_wait&>(t).out_of_time(); };
    }
    job_wait(const job_wait&) = delete;
    job_wait& operator=(const job_wait&) = delete;
    ~job_wait() {
        if (waits()) runtime::loop::current().timers().remove(*this);
        if (queued_) in_->abandon(*job_);
    }

    bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> waiter) {
        auto& loop = runtime::loop::current();
        job_->home = &loop;
        job_->waiter = waiter;
        if (auto refused = in_->queue(job_)) {
            refused_.emplace(std::move(*refused));
            return false;
        }
        queued_ = true;
        if (job_->limits.deadline != UINT64_MAX) loop.timers().add(*this, job_->limits.deadline);
        return true;
    }
    apus::result<outcome> await_resume() {
        queued_ = false;
        if (refused_) return std::unexpected(std::move(*refused_));
        if (*job_->done) (*job_->done)->started = job_->started;
        return std::move(*job_->done);
    }

private:
    void out_of_time() noexcept {
        if (!in_->withdraw(*job_)) return;  // the job is running: it is interrupted, and then completes
        queued_ = false;
        refused_.emplace(sql::make_error(
            {.state = "57014", .message = "no SQLite thread was free in time", .statement = job_->of.text.sql}));
        job_->waiter.resume();
    }

    std::shared_ptr<file> in_;
    std::shared_ptr<job> job_;
    std::optional<error> refused_;
    bool queued_ = false;
};

task<outcome> perform(std::shared_ptr<file> in, std::shared_ptr<job> what) {
    job_wait wait(std::move(in), std::move(what));
    auto done = co_await wait;
    co_return co_await std::move(done);
}

std::shared_ptr<job> make_job(job::kind kind, std::uint64_t deadline) {
    auto made = std::make_shared<job>(kind);
    made->limits.deadline = deadline;
    return made;
}

/// A cursor over a result that is already in memory. The first call returns all rows.
class whole_cursor final : public sql::cursor {
public:
    explicit whole_cursor(std::unique_ptr<sql::rows> all) : all_(std::move(all)) {}
    task<std::unique_ptr<sql::rows>> next(std::uint64_t) override { co_return std::move(all_); }

private:
    std::unique_ptr<sql::rows> all_;
};

class file_cursor final : public sql::cursor {
public:
    file_cursor(std::shared_ptr<file> in, statement first, std::size_t rows_at_once)
        : in_(std::move(in)), from_(std::make_shared<reading>(in_->options())) {
        from_->first = std::move(first);
        from_->rows_at_once = rows_at_once;
    }
    file_cursor(const file_cursor&) = delete;
    file_cursor& operator=(const file_cursor&) = delete;
    ~file_cursor() override { in_->give_stream_back(); }

    task<std::unique_ptr<sql::rows>> next(std::uint64_t deadline) override {
        auto what = make_job(job::kind::fetch, deadline);
        what->from = from_;
        outcome done = co_await perform(in_, std::move(what));
        co_return std::move(done.found);
    }

private:
    std::shared_ptr<file> in_;
    std::shared_ptr<reading> from_;
};

// Executes statements on a file, each by itself or in a transaction.
template <class Base>
class file_session : public Base {
public:
    file_session(std::shared_ptr<file> in, std::shared_ptr<transaction_queue> queue)
        : in_(std::move(in)), queue_(std::move(queue)) {}

    task<outcome> execute(statement s) override {
        auto what = make_job(job::kind::statement, s.deadline);
        what->of = std::move(s);
        what->in = queue_;
        return perform(in_, std::move(what));
    }
    task<std::int64_t> execute_batch(sql::batch b) override {
        auto what = make_job(job::kind::batch, b.deadline);
        what->of.text = b.text;
        what->all = std::move(b);
        what->in = queue_;
        outcome done = co_await perform(in_, std::move(what));
        co_return done.changed;
    }
    task<> execute_script(sql::statement_text text, std::uint64_t deadline) override {
        auto what = make_job(job::kind::script, deadline);
        what->of.text = std::move(text);
        what->in = queue_;
        co_await perform(in_, std::move(what));
    }
    task<std::unique_ptr<sql::text_cursor>> copy_out(sql::statement_text, std::uint64_t) override {
        co_await fail(501, "SQLite has no COPY: read rows with `stream`").expose();
        std::unreachable();
    }
    task<std::unique_ptr<sql::cursor>> open(statement s, std::size_t rows_at_once) override {
        if (queue_ || in_->in_memory()) {
            outcome done = co_await execute(std::move(s));
            co_return std::make_unique<whole_cursor>(std::move(done.found));
        }
        if (!in_->take_stream()) co_await apus::failure(sql::too_busy("too many streams of the database are open"));
        co_return std::make_unique<file_cursor>(in_, std::move(s), rows_at_once);
    }

protected:
    std::shared_ptr<file> in_;
    std::shared_ptr<transaction_queue> queue_;
};

class file_transaction final : public file_session<sql::engine_transaction> {
public:
    file_transaction(std::shared_ptr<file> in, std::shared_ptr<transaction_queue> queue,
                     std::shared_ptr<sql::notification_hub> hub)
        : file_session(std::move(in), std::move(queue)), hub_(std::move(hub)) {}
    ~file_transaction() override { in_->close(*queue_); }

    task<> commit() override {
        co_await end(job::kind::commit);
        for (const auto& [channel, payload] : std::exchange(unsent_, {})) hub_->send(channel, payload);
    }
    task<> rollback() override {
        unsent_.clear();
        return end(job::kind::rollback);
    }
    task<std::int64_t> copy_in(sql::copy_piece piece) override {
        const outcome done = co_await execute(sql::insert_of(piece));
        co_return done.changed;
    }
    task<> savepoint(unsigned depth, std::uint64_t deadline) override {
        unsent_at_savepoint_.resize(depth);
        unsent_at_savepoint_[depth - 1] = unsent_.size();
        return engine_transaction::savepoint(depth, deadline);
    }
    task<> rollback_to_savepoint(unsigned depth, std::uint64_t deadline) override {
        unsent_.resize(unsent_at_savepoint_[depth - 1]);
        return engine_transaction::rollback_to_savepoint(depth, deadline);
    }
    void abandon_savepoint(unsigned depth) noexcept override {
        unsent_.resize(unsent_at_savepoint_[depth - 1]);
        try {
            const std::string name = sql::savepoint_name(depth);
            auto text = std::make_shared<const std::string>("rollback to " + name + "; release " + name);
            auto what = make_job(job::kind::undo, UINT64_MAX);
            what->of.text = {*text, text};
            what->in = queue_;
            what->abandoned = true;  // no task waits
            (void)in_->queue(what);
        } catch (const std::bad_alloc&) {
            in_->close(*queue_);  // rolls back the whole transaction
        }
    }
    task<> notify(std::string channel, std::string payload, std::uint64_t) override {
        unsent_.emplace_back(std::move(channel), std::move(payload));
        co_return;
    }

private:
    task<> end(job::kind how) {
        auto what = make_job(how, UINT64_MAX);
        what->in = queue_;
        co_await perform(in_, std::move(what));
    }

    std::shared_ptr<sql::notification_hub> hub_;
    std::vector<std::pair<std::string, std::string>> unsent_;
    std::vector<std::size_t> unsent_at_savepoint_;  // by depth of the savepoint
};

class file_engine final : public file_session<sql::engine> {
public:
    explicit file_engine(std::shared_ptr<file> in)
        : file_session(std::move(in), nullptr),
          hub_(std::make_shared<sql::notification_hub>(in_->options().notifications)) {}

    task<std::unique_ptr<sql::engine_transaction>> begin(const sql::transaction_options&,
                                                         std::uint64_t deadline) override {
        auto queue = std::make_shared<transaction_queue>();
        auto made = std::make_unique<file_transaction>(in_, queue, hub_);
        auto what = make_job(job::kind::begin, deadline);
        what->in = std::move(queue);
        co_await perform(in_, std::move(what));
        co_return std::move(made);
    }
    task<> notify(std::string channel, std::string payload, std::uint64_t) override {
        hub_->send(channel, payload);
        co_return;
    }
    std::unique_ptr<sql::listener> listen(const std::string& channel) override { return hub_->listen(channel); }

    std::string_view name() const noexcept override { return "sqlite"; }
    std::string_view migration_lock() const noexcept override { return {}; }

private:
    std::shared_ptr<sql::notification_hub> hub_;
};

}  // namespace
}  // namespace apus::sqlite

std::shared_ptr<apus::sql::engine> apus::sql::open_sqlite(std::string_view url, const database_options& options) {
    constexpr std::string_view scheme = "sqlite:";
    if (!url.starts_with(scheme) || url.size() == scheme.size())
        throw std::invalid_argument("database: a SQLite URL must be sqlite: followed by the path of a file");
    if (options.value_size > 1'000'000'000)
        throw std::invalid_argument("database: value_size must be at most 1 GB for SQLite");
    std::string path(url.substr(scheme.size()));
    if (path.starts_with("//")) path.erase(0, 2);
    if (path.find('\0') != path.npos) throw std::invalid_argument("database: the path contains NUL");
    return std::make_shared<sqlite::file_engine>(std::make_shared<sqlite::file>(std::move(path), options));
}
