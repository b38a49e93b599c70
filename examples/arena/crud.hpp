// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arena/item_cache.hpp"

#include <apus/sql.hpp>

namespace arena {

/// Adds /crud/items and /crud/items/{id}.
/// /crud/items: a page of a category by GET, an insert or update by POST. /crud/items/{id}: an item by GET, read
/// through the cache, and a change by PUT. All cores share the cache, which must outlive the app.
void add_crud(apus::app& app, const apus::sql::database& db, item_cache& cache);

}  // namespace arena
