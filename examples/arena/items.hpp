// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace arena {

struct rating {
    std::int64_t score;
    std::int64_t count;
};

struct item {
    std::int64_t id;
    std::string name;
    std::string category;
    std::int64_t price;
    std::int64_t quantity;
    bool active;
    std::vector<std::string> tags;
    arena::rating rating;
};

/// Reads the items of a file such as dataset.json. Throws `std::runtime_error` if the file is
/// invalid.
std::vector<item> read_items(const std::string& file);

/// Adds GET /json/{count}?m=, which returns the first `count` items, each with the total price x
/// quantity x m. All cores share the items, which must outlive the app.
void add_items(apus::app& app, const std::vector<item>& items);

}  // namespace arena
