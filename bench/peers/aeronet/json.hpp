// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace peer {

// Types printed as JSON; Glaze reflects only types with linkage.
struct greeting {
    std::string message;
    int id;
    bool ok;
};

struct rating {
    int score;
    int count;
};

struct item {
    int id;
    std::string name;
    std::string category;
    int price;
    int quantity;
    bool active;
    std::vector<std::string> tags;
    peer::rating rating;
    int total = 0;
};

struct page {
    std::vector<item> items;
    std::size_t count;
};

// Returns the arena's items. Exits if the file is malformed.
std::vector<item> read_items(const std::string& file);

// Returns the first `count` items with their totals.
page priced(const std::vector<item>& all, std::size_t count, int m);

}  // namespace peer
