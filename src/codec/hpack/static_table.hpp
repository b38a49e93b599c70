// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/fields/field_names.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace apus::codec::hpack {

constexpr std::uint32_t static_entries = 61;

/// An entry of the static table (RFC 7541, appendix A).
struct static_entry {
    std::string_view name, value;
    fields::field_id id;
};

namespace detail {

struct static_table {
    std::array<static_entry, static_entries + 1> entries{};

    consteval static_table() {
        for (std::uint32_t index = 15; index <= static_entries; ++index)
            put(index, static_cast<fields::field_id>(index), {""});
        put(1, fields::field_id::authority, {""});
        put(2, fields::field_id::method, {"GET", "POST"});
        put(4, fields::field_id::path, {"/", "/index.html"});
        put(6, fields::field_id::scheme, {"http", "https"});
        put(8, fields::field_id::status, {"200", "204", "206", "304", "400", "404", "500"});
        put(16, fields::field_id::accept_encoding, {"gzip, deflate"});
    }

    consteval void put(std::uint32_t index, fields::field_id id, std::initializer_list<std::string_view> values) {
        for (const std::string_view value : values)
            entries[index++] = {fields::field_names[static_cast<std::size_t>(id)], value, id};
    }
};
inline constexpr static_table the_static_table;

}  // namespace detail

/// Returns the entry with `index`, from 1 to `static_entries`.
inline const static_entry& static_entry_at(std::uint32_t index) noexcept {
    return detail::the_static_table.entries[index];
}

/// Returns the index of the entry with this name and value; 0 without such an entry.
std::uint32_t find_static_entry(fields::field_id, std::string_view value) noexcept;

/// Returns the index of the first entry with this name; 0 without such an entry.
constexpr std::uint32_t static_index_of(fields::field_id id) noexcept {
    return id <= fields::field_id::www_authenticate ? static_cast<std::uint32_t>(id) : 0;
}

}  // namespace apus::codec::hpack
