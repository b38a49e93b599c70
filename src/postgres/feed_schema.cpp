// SPDX-License-Identifier: Apache-2.0
// Tables of feeds, and the function that stores an event.
#include <apus/sql/feed_broker.hpp>

#include "migrations/connection.hpp"
#include "postgres/feed_hint.hpp"

#include <apus/sql/migrations.hpp>

#include <string>

namespace apus::sql {

namespace {

// The statements are idempotent. `number` counts the events of a room, so that the events to delete are found without
// counting rows. The row of a room is locked until the commit: the next event of the room gets a greater id. Expired
// rooms are deleted by events of any room, two at a time, which is faster than rooms can be added. Rows that another
// transaction has locked are skipped, so there is no deadlock.
constexpr std::string_view statements = R"(-- Tables of apus feeds.
set local lock_timeout = '5s';
select pg_advisory_xact_lock(7814372903165528418);
create table if not exists apus_feed_rooms (
  id bigint generated always as identity primary key,
  feed text not null,                         -- name of the channel
  name bytea not null,
  time bigint not null,                       -- of the last event, in milliseconds since 1970
  number bigint not null,                     -- of the last event
  expires_at bigint not null,                 -- in milliseconds since 1970
  unique (feed, name)
);
create index if not exists apus_feed_rooms_expire on apus_feed_rooms (expires_at);
create table if not exists apus_feed_events (
  room bigint not null,
  time bigint not null,
  number bigint not null,
  first boolean not null,                     -- whether the room had no events before
  token bytea not null,
  name bytea not null,
  data bytea not null,
  primary key (room, time, number)
);
create or replace function apus_feed_publish(in_feed text, in_room bytea, most bigint, keep bigint, in_token bytea,
                                             in_name bytea, in_data bytea)
returns text language plpgsql set search_path from current as $$
declare
  at apus_feed_rooms;
  now_ms bigint;
  is_first boolean;
  expired bigint;
begin
  loop
    select * into at from apus_feed_rooms r where r.feed = in_feed and r.name = in_room for update;
    exit when found;
    insert into apus_feed_rooms (feed, name, time, number, expires_at) values (in_feed, in_room, 0, 0, 0)
      on conflict do nothing;
  end loop;
  now_ms := floor(extract(epoch from clock_timestamp()) * 1000);
  is_first := now_ms >= at.expires_at;
  if is_first then delete from apus_feed_events e where e.room = at.id; end if;
  at.time := greatest(now_ms, at.time);
  at.number := at.number + 1;
  update apus_feed_rooms r set time = at.time, number = at.number, expires_at = at.time + keep where r.id = at.id;
  insert into apus_feed_events (room, time, number, first, token, name, data)
    values (at.id, at.time, at.number, is_first, in_token, in_name, in_data);
  delete from apus_feed_events e where e.room = at.id and (e.time, e.number) in
    (select o.time, o.number from apus_feed_events o where o.room = at.id order by o.time, o.number limit 4)
    and e.number <= at.number - most;
  for expired in select r.id from apus_feed_rooms r where r.expires_at <= now_ms order by r.expires_at limit 2
      for update skip locked loop
    delete from apus_feed_events e where e.room = expired;
    delete from apus_feed_rooms r where r.id = expired;
  end loop;
  perform pg_notify(in_feed, concat_ws(' ', 1, at.time || '-' || at.number, is_first::int, encode(in_room, 'hex'),
                                       encode(in_token, 'hex')));
  return at.time || '-' || at.number;
end $$;
)";

}  // namespace

std::string_view feed_schema() noexcept { return statements; }

void migrate_feeds(std::string_view url) {
    if (migrations::engine_of(url) != "postgres")
        throw migration_error(migration_error::reason::url, std::string(postgres::feeds_need_postgres));
    execute_script(url, feed_schema(), "tables of apus feeds");
}

}  // namespace apus::sql
