// SPDX-License-Identifier: Apache-2.0
#include <apus/jobs.hpp>

#include <stdexcept>

namespace apus::jobs {
namespace {

// Version 1 of the tables. The statements are idempotent, so that `migrate` may be called at each start.
constexpr std::string_view postgres_tables = R"(-- Tables of apus jobs.
select pg_advisory_xact_lock(7814372903165528417);
create table if not exists apus_jobs (
  id bigint generated always as identity primary key,
  queue text not null,
  kind text not null,                         -- name of the struct
  version integer not null,                   -- of the struct
  payload text not null,                      -- the struct as JSON
  state text not null,                        -- ready, delayed, running or dead
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
  ended_at bigint
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
insert into apus_jobs_schema (version) values (1) on conflict (version) do nothing;
)";

// The same tables with the types of SQLite. An `integer primary key` is the rowid, and times are integers.
constexpr std::string_view sqlite_tables = R"(-- Tables of apus jobs.
create table if not exists apus_jobs (
  id integer primary key autoincrement,
  queue text not null,
  kind text not null,                         -- name of the struct
  version integer not null,                   -- of the struct
  payload text not null,                      -- the struct as JSON
  state text not null,                        -- ready, delayed, running or dead
  due_at integer not null,                    -- all times: milliseconds since 1970
  priority integer not null default 0,
  unique_key text,
  attempt integer not null default 0,
  fence integer not null default 0,           -- incremented by each claim
  worker text,                                -- that runs the job
  cancelled boolean not null default false,
  progress real not null default 0,
  note text not null default '',
  errors text not null default '',            -- a line per failed attempt
  created_at integer not null,
  started_at integer,
  ended_at integer
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
  beat integer not null,                      -- incremented by each heartbeat
  started_at integer not null,
  seen_at integer not null
);
create table if not exists apus_jobs_ticks (
  schedule text not null,
  tick integer not null,
  primary key (schedule, tick)
);
create table if not exists apus_jobs_rates (
  queue text primary key,
  used_until real not null
);
create table if not exists apus_jobs_schema (version integer primary key);
insert into apus_jobs_schema (version) values (1) on conflict (version) do nothing;
)";

}  // namespace

std::string_view schema(std::string_view engine) {
    if (engine == "sqlite") return sqlite_tables;
    if (engine == "postgres") return postgres_tables;
    throw std::invalid_argument("jobs: the engine must be `sqlite` or `postgres`");
}

void migrate(std::string_view url) {
    sql::execute_script(url, schema(url.starts_with("sqlite:") ? "sqlite" : "postgres"), "tables of apus jobs");
}

}  // namespace apus::jobs
