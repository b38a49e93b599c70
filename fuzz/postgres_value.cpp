// SPDX-License-Identifier: Apache-2.0
#include "postgres/decode.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

// Arbitrary bytes as the value of a column of any type.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apus;
    if (size < 4) return 0;
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    postgres::decode_room room;
    const auto found = postgres::decode(postgres::oid{postgres::load<std::uint32_t>(all.data())}, all.substr(4), room);
    if (!found || found->kind != sql::value_kind::list) return 0;
    fuzz::must(found->count == room.items.size(), "the count of a list is its number of items");
    fuzz::must(found->count <= all.size() / 4, "each item has at least four bytes");
    for (const auto& item : room.items)
        fuzz::must(item.kind != sql::value_kind::list, "the items of a list are not lists");
    return 0;
}
