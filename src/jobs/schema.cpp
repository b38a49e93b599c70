// SPDX-License-Identifier: Apache-2.0
#include <apus/jobs.hpp>

#include "jobs/statements.hpp"
#include "migrations/connection.hpp"

#include <apus/sql/migrations.hpp>

#include <charconv>
#include <stdexcept>
#include <string>

namespace apus::jobs {
namespace {

// The tables; indexes and triggers of lanes follow. The statements are idempotent, so that `migrate` may be called at
// each start.
constexpr std::string_view postgres_tables = R"(-- Tables of apus jobs.
set local lock_timeout = '5s';
select pg_advisory_xact_lock(7814372903165528417);
create table if not exists apus_jobs (
  id bigint generated always as identity primary key,)";
constexpr std::string_view sqlite_tables = R"(-- Tables of apus jobs.
create table if not exists apus_jobs (
  id integer primary key autoincrement,)";
// The other columns and tables. For SQLite, `bigint` is an integer and `double precision` is a real.
constexpr std::string_view other_tables = R"(
  queue text not null,
  kind text not null,                         -- name of the struct
  version integer not null,                   -- of the struct
  payload text not null,                      -- the struct as JSON
  state text not null,                        -- ready, delayed, blocked, running or dead
  due_at bigint not null,                     -- all times: milliseconds since 1970
  priority integer not null default 0,
  unique_key text,
  attempt integer not null default 0,
  fence bigint not null default 0,            -- incremented by each claim
  worker text,                                -- that runs the job
  cancelled boolean not null default false,
  progress double precision not null default 0,
  note text not null default '',
  errors text not null default '',            -- a line per failed attempt
  created_at bigint not null,
  started_at bigint,
  ended_at bigint,
  trace text,                                 -- trace context of the code that added the job
  lane text                                   -- jobs of a lane run one after the other
);
create index if not exists apus_jobs_ready on apus_jobs (queue, priority desc, id) where state = 'ready';
create index if not exists apus_jobs_delayed on apus_jobs (queue, due_at) where state = 'delayed';
create index if not exists apus_jobs_running on apus_jobs (worker) where state = 'running';
create index if not exists apus_jobs_dead on apus_jobs (queue, id) where state = 'dead';
create unique index if not exists apus_jobs_unique on apus_jobs (queue, kind, unique_key)
  where unique_key is not null and state <> 'dead';
create table if not exists apus_jobs_workers (
  id text primary key,
  queue text not null,
  beat bigint not null,                       -- incremented by each heartbeat
  started_at bigint not null,
  seen_at bigint not null
);
create table if not exists apus_jobs_ticks (
  schedule text not null,
  tick bigint not null,
  primary key (schedule, tick)
);
create table if not exists apus_jobs_rates (
  queue text primary key,
  used_until double precision not null
);
create table if not exists apus_jobs_schema (version integer primary key);
insert into apus_jobs_schema (version) select 3 where not exists (select 1 from apus_jobs_schema);
)";

// Change tables of version 1 to version 2, and of version 2 to version 3.
constexpr std::string_view postgres_trace = R"(-- Version 2 of the tables of apus jobs: traces.
set local lock_timeout = '5s';
select pg_advisory_xact_lock(7814372903165528417);
alter table apus_jobs add column if not exists trace text;
)";
constexpr std::string_view sqlite_trace = R"(-- Version 2 of the tables of apus jobs: traces.
alter table apus_jobs add column trace text;
)";
constexpr std::string_view postgres_lane = R"(-- Version 3 of the tables of apus jobs: lanes.
set local lock_timeout = '5s';
select pg_advisory_xact_lock(7814372903165528417);
alter table apus_jobs add column if not exists lane text;
)";
constexpr std::string_view sqlite_lane = R"(-- Version 3 of the tables of apus jobs: lanes.
alter table apus_jobs add column lane text;
)";

// A job is `blocked` while an earlier job of its lane exists. A trigger makes the next job ready, since jobs end by
// many statements, also of operators. `apus_jobs_lane_runs` prevents that two nodes claim jobs of one lane at the same
// time.
constexpr std::string_view lane_indexes = R"(
create index if not exists apus_jobs_lane on apus_jobs (queue, lane, id) where lane is not null and state <> 'dead';
create index if not exists apus_jobs_lane_blocked on apus_jobs (queue, lane, id) where state = 'blocked';
create unique index if not exists apus_jobs_lane_runs on apus_jobs (queue, lane)
  where state = 'running' and lane is not null;)";
constexpr std::string_view postgres_triggers = R"(
create or replace function apus_jobs_end_of_lane() returns trigger language plpgsql set search_path from current as $$
begin
  update apus_jobs set state = case when due_at > floor(extract(epoch from clock_timestamp()) * 1000)
      then 'delayed' else 'ready' end
    where id = (select id from apus_jobs where queue = old.queue and lane = old.lane and state = 'blocked'
      order by id limit 1) and state = 'blocked';
  if found then perform pg_notify('apus_jobs_' || old.queue, 'ready'); end if;
  return null;
end $$;
create or replace trigger apus_jobs_lane_removed after delete on apus_jobs for each row
  when (old.lane is not null and old.state not in ('dead', 'blocked')) execute function apus_jobs_end_of_lane();
create or replace trigger apus_jobs_lane_buried after update of state on apus_jobs for each row
  when (old.lane is not null and old.state <> 'dead' and new.state = 'dead') execute function apus_jobs_end_of_lane();
)";
// SQLite has no functions: both triggers contain the same statement.
constexpr std::string_view sqlite_removed = R"(
create trigger if not exists apus_jobs_lane_removed after delete on apus_jobs for each row
  when old.lane is not null and old.state not in ('dead', 'blocked'))";
constexpr std::string_view sqlite_buried = R"(
create trigger if not exists apus_jobs_lane_buried after update of state on apus_jobs for each row
  when old.lane is not null and old.state <> 'dead' and new.state = 'dead')";
constexpr std::string_view sqlite_end_of_lane = R"(
begin
  update apus_jobs set state = case when due_at > (julianday('now') - 2440587.5) * 86400000
      then 'delayed' else 'ready' end
    where id = (select id from apus_jobs where queue = old.queue and lane = old.lane and state = 'blocked'
      order by id limit 1) and state = 'blocked';
end;)";

constexpr std::string_view new_version = R"(
delete from apus_jobs_schema where version < (select max(version) from apus_jobs_schema);
update apus_jobs_schema set version = 3 where version < 3;
)";

// The statements of one engine: from no tables, from version 1, and from version 2.
struct scripts {
    std::string whole, from_1, from_2;
};

std::string joined(std::initializer_list<std::string_view> parts) {
    std::string made;
    for (const auto part : parts) made += part;
    return made;
}

scripts scripts_of(std::string_view tables, std::string_view trace, std::string_view lane, const std::string& lanes) {
    return {joined({tables, other_tables, lanes}), joined({trace, lane, lanes, new_version}),
            joined({lane, lanes, new_version})};
}

const std::string& script_of(bool postgres, int from) {
    static const scripts all[] = {
        scripts_of(sqlite_tables, sqlite_trace, sqlite_lane,
                   joined({lane_indexes, sqlite_removed, sqlite_end_of_lane, sqlite_buried, sqlite_end_of_lane, "\n"})),
        scripts_of(postgres_tables, postgres_trace, postgres_lane, joined({lane_indexes, postgres_triggers}))};
    const scripts& of = all[postgres ? 1 : 0];
    return from == 0 ? of.whole : from == 1 ? of.from_1 : of.from_2;
}

// Returns the version of the tables; 0 if there are none, or if the database cannot be read.
int version_in(std::string_view url) {
    const auto on = migrations::connect(url, migrations::missing::is_null);
    const auto found = on ? on->run("select max(version) from apus_jobs_schema") : migrations::table();
    if (!found || found->empty()) return 0;
    const std::string& text = (*found)[0][0];
    int version = 0;
    std::from_chars(text.data(), text.data() + text.size(), version);
    return version;
}

// Returns false if the change has waited too long for a lock. The scripts have a timeout, since other statements on the
// tables wait meanwhile.
bool change_tables(std::string_view url, int version) {
    try {
        sql::execute_script(url, schema(migrations::engine_of(url), version), "tables of apus jobs");
    } catch (const sql::migration_error& why) {
        if (version_in(url) >= schema_version) return true;  // by another process
        if (why.state() != "55P03") throw;                   // the text of the message depends on lc_messages
        return false;
    }
    return true;
}

}  // namespace

std::string_view schema(std::string_view engine, int from) {
    if (from < 0 || from >= schema_version)
        throw std::invalid_argument("jobs: the version of existing tables must be 0, 1 or 2");
    if (engine != "sqlite" && engine != "postgres")
        throw std::invalid_argument("jobs: the engine must be `sqlite` or `postgres`");
    return script_of(engine == "postgres", from);
}

void migrate(std::string_view url) {
    const int version = version_in(url);
    if (version >= schema_version) return;
    // A connection to SQLite has already waited for 30 s.
    const int most_tries = migrations::engine_of(url) == "sqlite" ? 1 : 3;
    for (int tries = 1; !change_tables(url, version); ++tries)
        if (tries == most_tries)
            throw sql::migration_error(sql::migration_error::reason::database,
                                       "cannot change the tables of jobs: another transaction has locked them",
                                       "end long transactions on `apus_jobs`, and start the program again");
    if (version_in(url) < schema_version)
        throw sql::migration_error(sql::migration_error::reason::database,
                                   "cannot read the version of the tables of jobs: no version is stored",
                                   "check the rights of the database user, or start the program again");
}

}  // namespace apus::jobs
