// SPDX-License-Identifier: Apache-2.0
#include "postgres/decode.hpp"
#include "sql/row_reader.hpp"

#include <apus/detail/schema_of.hpp>

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Arbitrary bytes as the value of a column of any type, which is then read into structs.

namespace {

using namespace apus;
using sql::value_kind;

struct place {
    std::string street;
    std::int32_t number;
    std::vector<std::int64_t> tags;
};

struct person {
    std::optional<place> home;
    std::vector<place> others;
    bool active;
};

// Returns the number of values in a value.
std::size_t count(const sql::value& v, unsigned depth = 0) {
    fuzz::must(depth <= 18, "the depth of nested values is limited");
    if (v.kind != value_kind::list && v.kind != value_kind::record) return 1;
    std::size_t all = 1;
    for (std::uint32_t i = 0; i < v.count; ++i) all += count(v.items[i], depth + 1);
    return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 4) return 0;
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    postgres::decode_room room;
    const auto found = postgres::decode(postgres::oid{postgres::load<std::uint32_t>(all.data())}, all.substr(4), room);
    if (!found) return 0;
    fuzz::must(count(*found) <= 1 + all.size() / 4, "each item has at least four bytes");
    place one{};
    person other{};
    std::vector<person> many;
    (void)sql::store_value(detail::schema_table<place>, &one, *found);
    (void)sql::store_value(detail::schema_table<person>, &other, *found);
    (void)sql::store_value(detail::schema_table<std::vector<person>>, &many, *found);
    fuzz::must(many.size() <= all.size(), "a list has no more items than bytes");
    return 0;
}
