// SPDX-License-Identifier: Apache-2.0
#include "jobs/statements.hpp"

#include <algorithm>
#include <string_view>

namespace apus::jobs {
namespace {

// Replaces each NOW by the expression for the current time, and each SKIP by the clause that skips locked rows.
std::string of_engine(std::string_view text, bool postgres) {
    const std::string_view now = postgres ? "cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)"
                                          : "cast((julianday('now') - 2440587.5) * 86400000 as integer)";
    const std::string_view skip = postgres ? "for update skip locked" : "";
    std::string made;
    while (!text.empty()) {
        const auto at = std::min(text.find("NOW"), text.find("SKIP"));
        made += text.substr(0, at);
        if (at == text.npos) break;
        const bool is_now = text[at] == 'N';
        made += is_now ? now : skip;
        text.remove_prefix(at + (is_now ? 3 : 4));
    }
    return made;
}

// Matches the job of an attempt only while the attempt owns the job.
constexpr std::string_view owned = " where id = cast($1 as bigint) and fence = cast($2 as bigint) and worker = $3";

// Appends to `errors`. If `errors` has more than 16,000 characters, keeps only the last 12,000 of them.
constexpr std::string_view noted =
    "errors = substr(errors, case when length(errors) > 16000 then length(errors) - "
    "12000 else 1 end) || ";

// Whether no earlier job of the same lane exists and none runs. Two transactions that add jobs to an empty lane at the
// same time do not see each other's jobs, so both jobs may be ready.
constexpr std::string_view first_of_lane =
    " and (lane is null or (not exists (select 1 from apus_jobs o where o.queue = apus_jobs.queue and o.lane = "
    "apus_jobs.lane and o.state <> 'dead' and o.id < apus_jobs.id) and not exists (select 1 from apus_jobs o where "
    "o.queue = apus_jobs.queue and o.lane = apus_jobs.lane and o.state = 'running')))";

// A transaction that commits after the previous job of the lane has ended leaves its job blocked, since it has seen the
// previous job. This statement makes such jobs ready. It visits each lane once, regardless of the number of its jobs,
// and at most $3 lanes after the lane $2, since heartbeats use the same connection. It skips jobs that are locked.
constexpr std::string_view unblock_first =
    "with recursive lanes (lane, place) as ((select lane, 1 from apus_jobs where queue = $1 and state = 'blocked' and "
    "lane > cast($2 as text) order by lane limit 1) union all select (select n.lane from apus_jobs n where n.queue = "
    "$1 and n.state = 'blocked' and n.lane > lanes.lane order by n.lane limit 1), place + 1 from lanes where "
    "lanes.lane is not null and place < cast($3 as bigint)), first (id) as materialized (select (select o.id from "
    "apus_jobs o where o.queue = $1 and o.lane = lanes.lane and o.state <> 'dead' order by o.id limit 1) from lanes "
    "where lanes.lane is not null), changed as (update apus_jobs set state = case when due_at > NOW then 'delayed' "
    "else 'ready' end where id in (select id from apus_jobs where state = 'blocked' and id in (select id from first) "
    "SKIP) returning id) select (select count(*) from changed) as freed, (select lane from lanes where place = "
    "cast($3 as bigint)) as last";

void add_claiming(statements& s, bool postgres) {
    const auto text = [&](std::string_view t) { return of_engine(t, postgres); };
    s.insert = text(
        "insert into apus_jobs (queue, kind, version, payload, state, due_at, priority, unique_key, created_at, trace, "
        "lane) values ($1, $2, cast($3 as integer), $4, case when cast($9 as text) is not null and exists (select 1 "
        "from apus_jobs where queue = $1 and lane = cast($9 as text) and state <> 'dead') then 'blocked' when "
        "cast($5 as bigint) > 0 then 'delayed' else 'ready' end, NOW + cast($5 as bigint), cast($6 as integer), $7, "
        "NOW, $8, $9) on conflict (queue, kind, unique_key) where unique_key is not null and state <> 'dead' do "
        "nothing returning id, state");
    // Inserts the row and sends the notification in one statement, and thus in one round trip.
    if (postgres)
        s.insert = "with added as (" + s.insert +
                   ") select id, state from added where cast(pg_notify('apus_jobs_' || $1, state) as text) is not null";
    s.find_key =
        "select id from apus_jobs where queue = $1 and kind = $2 and unique_key = $3 and state <> 'dead' limit 1";
    const std::string ready = text("select id from apus_jobs where queue = $1 and state = 'ready' and kind ") +
                              (postgres ? "= any(cast($2 as text[]))" : "in (select value from json_each($2))") +
                              std::string(first_of_lane) +
                              text(" order by priority desc, id limit cast($3 as bigint) SKIP");
    const std::string change = text(
        "update apus_jobs set state = 'running', attempt = attempt + 1, fence = fence + 1, worker = $4, "
        "started_at = NOW, progress = 0, note = '' where ");
    // An expelled node must not claim jobs: no other node would rescue them.
    s.claim =
        (postgres ? "with picked as materialized (" + ready + ") " : std::string()) + change +
        (postgres ? "id = any(array(select id from picked))" : "id in (" + ready + ")") +
        " and exists (select 1 from apus_jobs_workers where id = $4) "
        "returning id, kind, version, payload, attempt, fence, priority, trace, lane, started_at - due_at as delay";
    s.release_unknown = std::string(
                            "update apus_jobs set state = 'ready', worker = null, attempt = attempt - 1 where worker = "
                            "$1 and state = 'running' and id ") +
                        (postgres ? "<> all(cast($2 as bigint[]))" : "not in (select value from json_each($2))");
    s.promote = text(
        "update apus_jobs set state = 'ready' where id in (select id from apus_jobs where queue = $1 and "
        "state = 'delayed' and due_at <= NOW order by due_at limit 1000 SKIP)");
    s.unblock = text(unblock_first);
    s.next_due = text("select min(due_at) - NOW as wait from apus_jobs where queue = $1 and state = 'delayed'");
}

void add_outcomes(statements& s, bool postgres) {
    const auto text = [&](std::string_view t) { return of_engine(t, postgres); };
    const std::string mine(owned), note(noted);
    s.complete = "delete from apus_jobs" + mine;
    s.complete_many = s.complete;
    if (postgres)
        s.complete_many =
            "delete from apus_jobs j using unnest(cast($1 as bigint[]), cast($2 as bigint[])) as done (id, fence) "
            "where j.id = done.id and j.fence = done.fence and j.worker = $3";
    s.retry = text("update apus_jobs set state = 'delayed', worker = null, due_at = NOW + cast($4 as bigint), ") +
              note + "cast($5 as text)" + mine;
    s.release = text(
                    "update apus_jobs set state = case when cast($4 as bigint) > 0 then 'delayed' else 'ready' end, "
                    "worker = null, attempt = attempt - 1, due_at = NOW + cast($4 as bigint)") +
                mine;
    s.bury =
        text("update apus_jobs set state = 'dead', worker = null, ended_at = NOW, ") + note + "cast($4 as text)" + mine;
    s.progress = "update apus_jobs set progress = cast($4 as double precision), note = $5" + mine;
}

void add_workers(statements& s, bool postgres) {
    const auto text = [&](std::string_view t) { return of_engine(t, postgres); };
    s.enlist =
        text("insert into apus_jobs_workers (id, queue, beat, started_at, seen_at) values ($1, $2, 1, NOW, NOW)");
    s.beat = text("update apus_jobs_workers set beat = beat + 1, seen_at = NOW where id = $1");
    s.leave = "delete from apus_jobs_workers where id = $1";
    s.workers = "select id, beat from apus_jobs_workers where queue = $1";
    s.expel = "delete from apus_jobs_workers where id = $1 and beat = cast($2 as bigint)";
    const std::string orphan =
        "queue = $1 and state = 'running' and not exists (select 1 from apus_jobs_workers w where "
        "w.id = apus_jobs.worker)";
    s.drop_cancelled_orphans = "delete from apus_jobs where cancelled and " + orphan;
    // From the second attempt on, a rescued job is delayed, since the job itself may crash its nodes.
    s.rescue = text(
                   "update apus_jobs set state = 'delayed', worker = null, due_at = NOW + "
                   "(attempt - 1) * (attempt - 1) * 1000, ") +
               std::string(noted) + "cast($2 as text) where " + orphan;
    s.cancel = "delete from apus_jobs where id = cast($1 as bigint) and queue = $2 and state <> 'running'";
    s.ask_to_cancel =
        "update apus_jobs set cancelled = true where id = cast($1 as bigint) and queue = $2 and state = 'running'";
    s.cancelled = "select id from apus_jobs where worker = $1 and state = 'running' and cancelled";
}

void add_schedules(statements& s, bool postgres) {
    const auto text = [&](std::string_view t) { return of_engine(t, postgres); };
    s.version = "select coalesce(max(version), 0) from apus_jobs_schema";
    s.now = text("select NOW as now");
    s.add_tick =
        "insert into apus_jobs_ticks (schedule, tick) values ($1, cast($2 as bigint)) on conflict (schedule, tick) do "
        "nothing";
    s.has_ticks = "select count(*) from (select 1 from apus_jobs_ticks where schedule = $1 limit 1) as first";
    s.drop_ticks = "delete from apus_jobs_ticks where schedule = $1 and tick < cast($2 as bigint)";
    s.add_rate = "insert into apus_jobs_rates (queue, used_until) values ($1, 0) on conflict (queue) do nothing";
    s.lock_rate = text("select NOW as now, used_until from apus_jobs_rates where queue = $1");
    if (postgres) s.lock_rate += " for update";
    s.set_rate = "update apus_jobs_rates set used_until = cast($2 as double precision) where queue = $1";
}

statements make(bool postgres) {
    statements s;
    add_claiming(s, postgres);
    add_outcomes(s, postgres);
    add_workers(s, postgres);
    add_schedules(s, postgres);
    return s;
}

}  // namespace

const statements& statements_of(bool postgres) {
    static const statements of[] = {make(false), make(true)};
    return of[postgres ? 1 : 0];
}

std::string channel_of(const std::string& queue) { return "apus_jobs_" + queue; }

}  // namespace apus::jobs
