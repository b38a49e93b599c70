// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arena/items.hpp"

#include <apus/sql.hpp>

namespace arena {

/// A row of the table `items`.
struct stored_item {
    std::int64_t id;
    std::string name;
    std::string category;
    std::int64_t price;
    std::int64_t quantity;
    bool active;
    std::vector<std::string> tags;
    std::int64_t rating_score;
    std::int64_t rating_count;
};

/// Returns the item of a row, whose rating is an object.
item item_of(stored_item row);

/// Returns the items of rows.
std::vector<item> items_of(std::vector<stored_item> rows);

/// Adds GET /async-db?min=&max=&limit=, which returns items with a price from `min` to `max`.
/// `limit`: 1 to 50.
void add_async_db(apus::app& app, const apus::sql::database& db);

}  // namespace arena
