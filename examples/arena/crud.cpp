// SPDX-License-Identifier: Apache-2.0
#include "arena/crud.hpp"

#include "arena/stored_items.hpp"

#include <apus/json.hpp>
#include <apus/query.hpp>
#include <apus/sql/table.hpp>

#include <algorithm>

namespace arena {
namespace {

struct wanted_page {
    std::string category = "electronics";
    std::int64_t page = 1;
    std::int64_t limit = 10;
};

struct page_of_items {
    std::vector<item> items;
    std::size_t total;
    std::int64_t page;
    std::int64_t limit;
};

struct new_item {
    std::int64_t id;
    std::string name;
    std::string category;
    std::int64_t price;
    std::int64_t quantity;
    bool active = true;
    std::optional<std::vector<std::string>> tags;
    std::optional<arena::rating> rating;
};

struct item_change {
    std::string name;
    std::int64_t price;
    std::int64_t quantity;
};

using item_table = apus::sql::table<stored_item>;
using item_reply = apus::reply<item, 200>;

stored_item row_of(new_item sent) {
    const rating rated = sent.rating.value_or(rating{0, 0});
    return {sent.id,
            std::move(sent.name),
            std::move(sent.category),
            sent.price,
            sent.quantity,
            sent.active,
            sent.tags.value_or(std::vector<std::string>()),
            rated.score,
            rated.count};
}

apus::task<page_of_items> list(apus::sql::database db, wanted_page by) {
    const std::int64_t limit = std::clamp<std::int64_t>(by.limit, 1, 50);
    const std::int64_t page = std::clamp<std::int64_t>(by.page, 1, 1'000'000);
    auto items = items_of(co_await db.all<stored_item>(
        "select id, name, category, price, quantity, active, tags, rating_score, rating_count "
        "from items where category = $1 order by id limit $2 offset $3",
        by.category, limit, (page - 1) * limit));
    const std::size_t total = items.size();
    co_return page_of_items{std::move(items), total, page, limit};
}

apus::task<item_reply> read(item_table items, item_cache& cache, std::int64_t id) {
    auto cached = cache.find(id, item_cache::clock::now());
    if (cached.value) co_return item_reply(*std::move(cached.value)).header("x-cache", "HIT");
    item one = item_of(co_await items.get(id));
    cache.put(one, cached.writes, item_cache::clock::now());
    co_return item_reply(std::move(one)).header("x-cache", "MISS");
}

}  // namespace

void add_crud(apus::app& app, const apus::sql::database& db, item_cache& cache) {
    const item_table items(db, "items");
    app.get("/crud/items", [db](apus::query<wanted_page> by) { return list(db, *std::move(by)); });
    app.get("/crud/items/{id}", [items, &cache](std::int64_t id) { return read(items, cache, id); });
    app.post("/crud/items", [items, &cache](apus::json<new_item> sent) -> apus::task<apus::created<item>> {
        item made = item_of(co_await items.upsert(row_of(*std::move(sent))));
        cache.drop(made.id);
        co_return apus::created(std::move(made));
    });
    app.put("/crud/items/{id}", [items, &cache](std::int64_t id, apus::json<item_change> sent) -> apus::task<item> {
        item made = item_of(co_await items.update(id, *sent));
        cache.drop(id);
        co_return made;
    });
}

}  // namespace arena
