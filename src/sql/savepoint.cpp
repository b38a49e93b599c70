// SPDX-License-Identifier: Apache-2.0
#include "sql/savepoint.hpp"

#include "sql/database_parts.hpp"
#include "sql/failure.hpp"

#include <utility>

namespace apus::sql {

std::string savepoint_name(unsigned depth) { return "apus_savepoint_" + std::to_string(depth); }

namespace {

statement savepoint_statement(const char* verb, unsigned depth, std::uint64_t deadline) {
    auto text = std::make_shared<const std::string>(verb + savepoint_name(depth));
    return {.text = {*text, text}, .deadline = deadline};
}

/// Fails each call with an error.
class refusing_transaction final : public engine_transaction {
public:
    refusing_transaction(std::string_view state, const char* why) noexcept : state_(state), why_(why) {}

    task<outcome> execute(statement) override { return refuse<outcome>(); }
    task<std::int64_t> execute_batch(batch) override { return refuse<std::int64_t>(); }
    task<std::unique_ptr<cursor>> open(statement, std::size_t) override { return refuse<std::unique_ptr<cursor>>(); }
    task<> execute_script(statement_text, std::uint64_t) override { return refuse<void>(); }
    task<std::unique_ptr<text_cursor>> copy_out(statement_text, std::uint64_t) override {
        return refuse<std::unique_ptr<text_cursor>>();
    }
    task<> notify(std::string, std::string, std::uint64_t) override { return refuse<void>(); }
    task<> commit() override { return refuse<void>(); }
    task<> rollback() override { return refuse<void>(); }
    task<std::int64_t> copy_in(copy_piece) override { return refuse<std::int64_t>(); }
    task<> savepoint(unsigned, std::uint64_t) override { return refuse<void>(); }
    void abandon_savepoint(unsigned) noexcept override {}

private:
    template <class T>
    task<T> refuse() const {
        co_await failure(make_error({.state = state_, .message = why_}));
        std::unreachable();
    }

    std::string_view state_;
    const char* why_;
};

refusing_transaction& ended_savepoint() noexcept {
    static refusing_transaction it("25P03", "the savepoint has ended");
    return it;
}

/// A savepoint of a transaction. Statements are executed by the transaction.
class savepoint_scope final : public engine_transaction {
public:
    savepoint_scope(detail::shared_session outer, unsigned depth)
        : outer_(std::move(outer)), depth_(depth), in_(&root_of(*outer_)) {
        outer_->has_inner = true;
    }
    savepoint_scope(const savepoint_scope&) = delete;
    savepoint_scope& operator=(const savepoint_scope&) = delete;
    ~savepoint_scope() override {
        if (open_) in_->abandon_savepoint(depth_), end();
    }

    task<outcome> execute(statement s) override { return in_->execute(std::move(s)); }
    task<std::int64_t> execute_batch(batch b) override { return in_->execute_batch(std::move(b)); }
    task<std::unique_ptr<cursor>> open(statement s, std::size_t rows_at_once) override {
        return in_->open(std::move(s), rows_at_once);
    }
    task<> execute_script(statement_text text, std::uint64_t deadline) override {
        return in_->execute_script(std::move(text), deadline);
    }
    task<std::unique_ptr<text_cursor>> copy_out(statement_text text, std::uint64_t deadline) override {
        return in_->copy_out(std::move(text), deadline);
    }
    task<> notify(std::string channel, std::string payload, std::uint64_t deadline) override {
        return in_->notify(std::move(channel), std::move(payload), deadline);
    }
    task<std::int64_t> copy_in(copy_piece piece) override { return in_->copy_in(std::move(piece)); }
    task<> savepoint(unsigned depth, std::uint64_t deadline) override { return in_->savepoint(depth, deadline); }
    void abandon_savepoint(unsigned depth) noexcept override { in_->abandon_savepoint(depth); }

    // If the savepoint cannot be released, for example after an error that the program has ignored, it is rolled back.
    task<> commit() override {
        if (!open_) co_await in_->commit();
        auto done = co_await in_->release_savepoint(depth_, detail::deadline_of(*outer_)).outcome();
        if (!done) (void)co_await in_->rollback_to_savepoint(depth_, detail::deadline_of(*outer_)).outcome();
        end();
        co_await std::move(done);
    }
    task<> rollback() override {
        if (!open_) co_await in_->rollback();
        auto done = co_await in_->rollback_to_savepoint(depth_, detail::deadline_of(*outer_)).outcome();
        end();
        co_await std::move(done);
    }

private:
    static engine_transaction& root_of(const detail::session_parts& outer) noexcept {
        const auto* scope = outer.depth == 0 ? nullptr : static_cast<const savepoint_scope*>(outer.open.get());
        return scope ? *scope->in_ : *outer.open;
    }
    void end() noexcept {
        in_ = &ended_savepoint();
        outer_->has_inner = false;
        open_ = false;
    }

    bool open_ = true;
    detail::shared_session
        outer_;  // kept until the destruction, since a stream of the savepoint may use the transaction
    unsigned depth_;
    engine_transaction* in_;  // the outermost transaction
};

}  // namespace

task<> engine_transaction::savepoint(unsigned depth, std::uint64_t deadline) {
    (void)co_await execute(savepoint_statement("savepoint ", depth, deadline));
}

task<> engine_transaction::release_savepoint(unsigned depth, std::uint64_t deadline) {
    (void)co_await execute(savepoint_statement("release savepoint ", depth, deadline));
}

task<> engine_transaction::rollback_to_savepoint(unsigned depth, std::uint64_t deadline) {
    const std::string name = savepoint_name(depth);
    auto text = std::make_shared<const std::string>("rollback to savepoint " + name + "; release savepoint " + name);
    co_await execute_script({*text, text}, deadline);
}

namespace detail {

shared_session open_savepoint(const shared_session& outer, unsigned depth) {
    return shared_session(new session_parts{.db = outer->db,
                                            .options = outer->options,
                                            .open = std::make_unique<savepoint_scope>(outer, depth),
                                            .depth = depth});
}

engine_transaction& transaction_with_savepoint() noexcept {
    static refusing_transaction it("3B001", "a savepoint of this transaction is open: use it, or end it first");
    return it;
}

}  // namespace detail
}  // namespace apus::sql
