// SPDX-License-Identifier: Apache-2.0
#include <apus/jobs/administration.hpp>

#include "jobs/statements.hpp"
#include "migrations/connection.hpp"

#include <apus/sql/migrations.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

namespace apus::jobs {
namespace {

using sql::migration_error;

constexpr std::string_view state_names[] = {"ready", "delayed", "running", "dead", "blocked"};

// An empty parameter selects all rows, so that each statement is a constant. Parameters first appear in the order of
// their numbers, as `connection::run` requires.
constexpr std::string_view selected =
    "(cast($1 as text) = '' or id = cast(case when cast($1 as text) = '' then '0' else cast($1 as text) end as "
    "bigint)) and (cast($2 as text) = '' or queue = $2) and (cast($3 as text) = '' or kind = $3) and "
    "(cast($4 as text) = '' or state = $4)";

template <class Number>
Number number_in(const std::string& text) {
    Number made{};
    std::from_chars(text.data(), text.data() + text.size(), made);
    return made;
}

migrations::table execute(migrations::connection& on, std::string_view text,
                          std::initializer_list<std::string> values) {
    auto found = on.run(text, values);
    if (found) return *std::move(found);
    const std::string& said = found.error().message;
    const bool missing = said.contains("no such table") || said.contains("does not exist");
    throw migration_error(migration_error::reason::database,
                          missing ? "the database has no tables of jobs" : "jobs: " + said,
                          missing ? "call apus::jobs::migrate when the program starts" : "");
}

migrations::table execute(migrations::connection& on, std::string_view text, const job_selection& of) {
    return execute(on, text,
                   {of.id ? std::to_string(*of.id) : std::string(), of.queue, of.kind,
                    of.state ? std::string(name_of(*of.state)) : std::string()});
}

job_record record_of(const std::vector<std::string>& row) {
    const auto integer = [&](std::size_t i) { return number_in<std::int64_t>(row[i]); };
    return {.id = integer(0),
            .queue = row[1],
            .kind = row[2],
            .version = integer(3),
            .state = state_of(row[4]).value_or(job_state::ready),
            .priority = integer(5),
            .attempt = integer(6),
            .unique_key = row[7],
            .lane = row[18],
            .worker = row[8],
            .cancelled = row[9] == "t" || row[9] == "1",
            .progress = number_in<double>(row[10]),
            .note = row[11],
            .payload = row[12],
            .errors = row[13],
            .due_at = integer(14),
            .created_at = integer(15),
            .started_at = integer(16),
            .ended_at = integer(17)};
}

bool is_postgres(const migrations::connection& on) { return on.language() == migrations::dialect::postgres; }

// Notifies the nodes that run the queues of the changed jobs. Nodes with SQLite poll instead.
void tell_nodes(migrations::connection& on, const migrations::table& changed, const char* what) {
    if (!is_postgres(on)) return;
    std::vector<std::string> queues;
    for (const auto& row : changed)
        if (std::ranges::find(queues, row[1]) == queues.end()) queues.push_back(row[1]);
    for (const auto& queue : queues) execute(on, "select pg_notify($1, $2)", {channel_of(queue), what});
}

}  // namespace

std::string_view name_of(job_state state) noexcept { return state_names[static_cast<unsigned>(state)]; }

std::optional<job_state> state_of(std::string_view name) noexcept {
    for (std::size_t i = 0; i < std::size(state_names); ++i)
        if (name == state_names[i]) return static_cast<job_state>(i);
    return std::nullopt;
}

administration::administration(std::string_view url)
    : on_(migrations::connect(url, migrations::missing::is_null).release()) {
    if (!on_)
        throw migration_error(migration_error::reason::database, "the database does not exist",
                              "start the program, which creates it");
}

administration::~administration() { delete on_; }

std::vector<job_record> administration::list(const job_selection& of, unsigned limit) {
    const std::string text =
        "select id, queue, kind, version, state, priority, attempt, unique_key, worker, cancelled, progress, note, "
        "payload, errors, due_at, created_at, started_at, ended_at, lane from apus_jobs where " +
        std::string(selected) + " order by id desc limit " + std::to_string(std::min(limit, 10'000U));
    std::vector<job_record> made;
    for (const auto& row : execute(*on_, text, of)) made.push_back(record_of(row));
    return made;
}

std::int64_t administration::retry(const job_selection& of, std::int64_t& kept) {
    // Without an id, only the oldest of several dead letters with the same key is retried.
    const std::string blocked =
        "unique_key is not null and state = 'dead' and exists (select 1 from apus_jobs o where o.queue = "
        "apus_jobs.queue and o.kind = apus_jobs.kind and o.unique_key = apus_jobs.unique_key and (o.state <> 'dead' or "
        "(cast($1 as text) = '' and o.id < apus_jobs.id)))";
    // Only the first job of a lane becomes ready, since each claim visits all ready jobs. The others follow it.
    const auto changed = execute(
        *on_,
        "with picked as materialized (select id, lane, row_number() over (partition by queue, lane order by id) as "
        "place from apus_jobs where " +
            std::string(selected) + " and state in ('dead', 'delayed') and not (" + blocked +
            ")) update apus_jobs set state = case when picked.lane is not null and (picked.place > 1 or exists (select "
            "1 from apus_jobs o where o.queue = apus_jobs.queue and o.lane = apus_jobs.lane and o.state <> 'dead' and "
            "o.id < apus_jobs.id)) then 'blocked' else 'ready' end, due_at = case when state = 'dead' then due_at else "
            "created_at end, attempt = case when state = 'dead' then 0 else attempt end, ended_at = null, cancelled = "
            "false from picked where apus_jobs.id = picked.id and state in ('dead', 'delayed') returning apus_jobs.id, "
            "apus_jobs.queue",
        of);
    kept += static_cast<std::int64_t>(
        execute(*on_,
                "select id from apus_jobs where " + std::string(selected) + " and state = 'dead' and (" + blocked + ")",
                of)
            .size());
    tell_nodes(*on_, changed, "ready");
    return static_cast<std::int64_t>(changed.size());
}

std::int64_t administration::cancel(const job_selection& of) {
    const auto removed = execute(*on_,
                                 "delete from apus_jobs where " + std::string(selected) +
                                     " and state in ('ready', 'delayed', 'blocked') returning id, queue",
                                 of);
    const auto asked = execute(*on_,
                               "update apus_jobs set cancelled = true where " + std::string(selected) +
                                   " and state = 'running' returning id, queue",
                               of);
    tell_nodes(*on_, asked, "cancel");
    return static_cast<std::int64_t>(removed.size() + asked.size());
}

std::int64_t administration::purge(const job_selection& of) {
    return static_cast<std::int64_t>(
        execute(*on_,
                "delete from apus_jobs where " + std::string(selected) + " and state = 'dead' returning id, queue", of)
            .size());
}

}  // namespace apus::jobs
