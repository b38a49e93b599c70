// SPDX-License-Identifier: Apache-2.0
#include "arena/stored_items.hpp"

#include <apus/json.hpp>
#include <apus/query.hpp>

#include <algorithm>

namespace arena {
namespace {

struct price_range {
    std::int64_t min = 10;
    std::int64_t max = 50;
    std::int64_t limit = 50;
};

struct found_items {
    std::vector<item> items;
    std::size_t count;
};

}  // namespace

item item_of(stored_item row) {
    return {row.id,       std::move(row.name), std::move(row.category), row.price,
            row.quantity, row.active,          std::move(row.tags),     {row.rating_score, row.rating_count}};
}

std::vector<item> items_of(std::vector<stored_item> rows) {
    std::vector<item> items;
    items.reserve(rows.size());
    for (stored_item& row : rows) items.push_back(item_of(std::move(row)));
    return items;
}

void add_async_db(apus::app& app, const apus::sql::database& db) {
    app.get("/async-db", [db](apus::query<price_range> by) -> apus::task<found_items> {
        auto items = items_of(co_await db.all<stored_item>(
            "select id, name, category, price, quantity, active, tags, rating_score, rating_count "
            "from items where price between $1 and $2 limit $3",
            by->min, by->max, std::clamp<std::int64_t>(by->limit, 1, 50)));
        const std::size_t count = items.size();
        co_return found_items{std::move(items), count};
    });
}

}  // namespace arena
