// SPDX-License-Identifier: Apache-2.0
#include "sql/plan.hpp"

#include "base/reason.hpp"
#include "runtime/loop.hpp"
#include "sql/parameters.hpp"

#include <apus/log.hpp>
#include <apus/sql/text.hpp>
#include <apus/task_scope.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace apus::sql {
namespace {

constexpr std::uint64_t between_plans = 600'000, longest_wait = 5'000;  // in ms
constexpr std::size_t most_known = 1'024;
constexpr std::size_t longest_part = 1'000, most_parts = 16;  // log records truncate fields after 1,024 bytes

// Returns whether to read the plan of a statement: at most every 10 minutes for each statement and engine of the
// process.
bool is_due(const engine* of, std::string_view sql, std::uint64_t now) {
    static std::mutex lock;
    static auto* last = new std::map<std::pair<const engine*, std::string>, std::uint64_t>;
    std::lock_guard guard(lock);
    std::erase_if(*last, [&](const auto& known) { return now - known.second >= between_plans; });
    return last->size() < most_known && last->try_emplace({of, std::string(sql)}, now).second;
}

statement make_statement(std::string sql, std::uint64_t deadline) {
    auto text = std::make_shared<const std::string>(std::move(sql));
    return {.text = {*text, text}, .deadline = deadline};
}

// Makes a generic plan, which contains no parameter values. It may differ from the plan of the slow execution.
task<outcome> explain_in_postgres(engine& in, const std::string& sql, std::uint64_t deadline) {
    auto t = co_await in.begin({.read_only = true}, deadline);
    co_await t->execute_script({"set local plan_cache_mode = force_generic_plan"}, deadline);
    // Uses the extended query protocol, which rejects a text with several statements.
    (void)co_await t->execute(make_statement("prepare apus_plan as " + sql, deadline));
    co_await t->savepoint(1, deadline);
    std::string execute = "explain execute apus_plan";
    const unsigned count = detail::count_placeholders(sql);
    for (unsigned i = 0; i < count; ++i) execute.append(i ? ", null" : "(null");
    auto done = co_await t->execute(make_statement(execute.append(count ? ")" : ""), deadline)).outcome();
    if (!done) co_await t->rollback_to_savepoint(1, deadline);
    co_await t->execute_script({"deallocate apus_plan"}, deadline);
    co_await t->rollback();
    co_return co_await std::move(done);
}

task<outcome> explain(engine& in, const std::string& sql, std::uint64_t deadline) {
    if (in.name() == "postgres") return explain_in_postgres(in, sql, deadline);
    statement made = make_statement("explain query plan " + sql, deadline);
    const auto values = std::make_shared<parameters>(0);
    for (unsigned left = detail::count_placeholders(sql); left != 0; --left) values->add_null();
    made.values = values;
    return in.execute(std::move(made));
}

// Logs the lines of EXPLAIN, which are the last column of each row. SQLite returns the number of the parent row instead
// of indented lines.
void log_lines(rows& plan, std::string_view sql) {
    std::map<std::int64_t, unsigned> depths;
    std::string part;
    std::size_t parts = 0;
    const auto write = [&] {
        if (!part.empty() && ++parts <= most_parts)
            log::warn("plan of a slow statement", {"part", parts}, {"plan", part}, {"statement", sql});
        part.clear();
    };
    for (std::size_t row = 0; row < plan.size(); ++row) {
        unsigned depth = 0;
        if (plan.columns() == 4) {
            const std::int64_t id = plan.cell(row, 0).integer;
            const auto parent = depths.find(plan.cell(row, 1).integer);
            depth = depths[id] = parent == depths.end() ? 0 : parent->second + 1;
        }
        const std::string_view line = plan.cell(row, plan.columns() - 1).text;
        if (part.size() + line.size() > longest_part) write();
        part.append(part.empty() ? "" : "\n").append(2 * std::size_t(depth), ' ').append(line);
    }
    write();
}

/// The plan that a core reads. Deleted before the next plan is read, or when the loop ends.
class running_plan : runtime::loop_end {
public:
    running_plan() {
        runtime::loop_end::run = [](runtime::loop_end& e) noexcept { delete static_cast<running_plan*>(&e); };
        runtime::loop::current().at_end(*this);
        here = this;
    }
    running_plan(const running_plan&) = delete;
    running_plan& operator=(const running_plan&) = delete;
    ~running_plan() {
        runtime::loop::take_out(*this);
        here = nullptr;
    }

    static constinit thread_local running_plan* here;
    void start(std::shared_ptr<engine> in, std::string sql) { scope_.spawn(read(std::move(in), std::move(sql))); }
    bool is_done() const noexcept { return scope_.size() == 0; }

private:
    static task<> read(std::shared_ptr<engine> in, std::string sql) {
        auto plan = co_await explain(*in, sql, runtime::loop::current().now() + longest_wait).outcome();
        if (!plan)
            log::info("cannot read the plan of a slow statement", {"reason", base::reason_of(plan.error())},
                      {"statement", sql});
        else if (plan->found) log_lines(*plan->found, sql);
    }

    task_scope scope_{{.on_failure = task_failure::only_logged, .name = "query plans"}};
};

constinit thread_local running_plan* running_plan::here = nullptr;

}  // namespace

bool is_reading_plan() noexcept { return running_plan::here && !running_plan::here->is_done(); }

void log_plan(const std::shared_ptr<engine>& in, std::string_view statement) {
    const runtime::working_for no_request(nullptr);
    if (is_reading_plan() || !is_due(in.get(), statement, runtime::loop::current().now())) return;
    // Creates a new object each time: at the end of the loop, objects are destroyed in reverse order of creation, so
    // this object is destroyed before the connection pool.
    delete running_plan::here;
    (new running_plan)->start(in, std::string(statement));
}

}  // namespace apus::sql
