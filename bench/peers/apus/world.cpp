// SPDX-License-Identifier: Apache-2.0
#include "world.hpp"

#include <apus/json.hpp>
#include <apus/query.hpp>
#include <apus/when_all.hpp>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace {

constexpr apus::sql::text by_id = "select id, randomnumber as \"randomNumber\" from world where id = $1";

struct world {
    std::int32_t id;
    std::int32_t random_number;

    static constexpr apus::field_note fields[] = {{.field = "random_number", .name = "randomNumber"}};
};

struct number_of_queries {
    std::int64_t queries = 1;
};

std::size_t count_of(const number_of_queries& sent) {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(sent.queries, 1, 500));
}

std::int32_t random_id() {
    thread_local std::minstd_rand random(std::random_device{}());
    return std::uniform_int_distribution<std::int32_t>(1, 10'000)(random);
}

apus::task<std::vector<world>> find_several(apus::sql::database db, std::size_t count) {
    std::vector<apus::task<world>> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(db.one<world>(by_id, random_id()));
    co_return co_await apus::when_all(std::move(all));
}

// Rows are locked in the order of their ids, so that concurrent updates cannot deadlock.
apus::task<std::vector<world>> change_several(apus::sql::database db, std::size_t count) {
    std::set<std::int32_t> chosen;
    while (chosen.size() < count) chosen.insert(random_id());
    std::vector<apus::task<world>> all;
    for (const std::int32_t id : chosen) all.push_back(db.one<world>(by_id, id));
    auto rows = co_await apus::when_all(std::move(all));
    std::vector<std::int32_t> ids, numbers;
    for (world& row : rows) {
        row.random_number = random_id();
        ids.push_back(row.id);
        numbers.push_back(row.random_number);
    }
    co_await db.run(
        "update world set randomnumber = new.number from unnest($1::int[], $2::int[]) as new (id, number) "
        "where world.id = new.id",
        ids, numbers);
    co_return rows;
}

}  // namespace

void add_world(apus::app& app, const apus::sql::database& db) {
    app.get("/db", [db] { return db.one<world>(by_id, random_id()); });
    app.get("/queries", [db](apus::query<number_of_queries> by) { return find_several(db, count_of(*by)); });
    app.get("/updates", [db](apus::query<number_of_queries> by) { return change_several(db, count_of(*by)); });
}
