// SPDX-License-Identifier: Apache-2.0
#include "arena/items.hpp"

#include <apus/json.hpp>
#include <apus/query.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>

namespace arena {
namespace {

// An item of a response. Its texts and tags are views of the data.
struct priced_item {
    std::int64_t id;
    std::string_view name;
    std::string_view category;
    std::int64_t price;
    std::int64_t quantity;
    bool active;
    std::span<const std::string> tags;
    arena::rating rating;
    std::int64_t total;
};

struct priced_items {
    std::vector<priced_item> items;
    std::size_t count;
};

struct factor {
    std::int64_t m = 1;
};

}  // namespace

std::vector<item> read_items(const std::string& file) {
    std::ifstream in(file);
    if (!in) {
        const int reason = errno;
        throw std::runtime_error("cannot open " + file + ": " + std::strerror(reason) +
                                 "; set DATA to the folder that contains dataset.json");
    }
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    auto items = apus::from_json<std::vector<item>>(text);
    if (!items) throw std::runtime_error(file + ": " + items.error().detail());
    return *std::move(items);
}

void add_items(apus::app& app, const std::vector<item>& items) {
    app.get("/json/{count}", [&items](std::size_t count, apus::query<factor> by) -> apus::result<priced_items> {
        if (count == 0 || count > items.size())
            return apus::fail(404, "the count must be from 1 to " + std::to_string(items.size()));
        priced_items made{{}, count};
        made.items.reserve(count);
        for (const item& i : std::span(items).first(count))
            made.items.push_back({i.id, i.name, i.category, i.price, i.quantity, i.active, i.tags, i.rating,
                                  i.price * i.quantity * by->m});
        return made;
    });
}

}  // namespace arena
