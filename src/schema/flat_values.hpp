// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schema/fault.hpp"

#include <apus/detail/schema_table.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace apus::schema {

/// Fills an aggregate from name-value pairs, as in queries and forms.
/// Members are plain values, optionals and lists. `object` and `out` must outlive this object.
class flat_values {
public:
    flat_values(const type& t, void* object, fault_list& out) noexcept
        : type_(&t), object_(static_cast<char*>(object)), out_(&out) {}

    /// Returns the field with this name, or null.
    const field* find(std::string_view name) const noexcept;

    /// Parses a value from UTF-8 text.
    /// A duplicate name is a fault, except for lists: each value is appended, up to the list's maximum size.
    void read(const field&, std::string_view text);

    /// Creates a value other than text, and returns its address.
    /// Returns null, and adds a fault, if there is no room.
    void* place(const field&);

    /// Reports missing values, lists that are too short, and faults of the aggregate's `check`.
    void finish();

    /// Adds a fault for a field, which then no longer counts as missing.
    void refuse(const field&, std::string found, std::string expected);

private:
    bool has_room(const field&);
    void* item_of(const field&);
    std::size_t size_of(const field&) const noexcept;
    void add(const field&, std::string found, std::string expected);
    std::uint64_t bit_of(const field& f) const noexcept { return std::uint64_t(1) << (&f - type_->fields); }
    char* at(const field& f) const noexcept { return object_ + f.offset; }

    const type* type_;
    char* object_;
    fault_list* out_;
    std::uint64_t seen_ = 0;
    std::vector<std::size_t> fixed_;  // by field: number of items stored in a list of fixed size
};

/// Replaces an invalid secret in messages.
constexpr std::string_view hidden = "a hidden value";

/// Whether a value of this type may be missing in name-value pairs.
/// True for lists that may be empty, since name-value pairs cannot express an empty list.
inline bool may_be_absent(const type& t) noexcept { return t.what == kind::list && t.least <= 0; }

/// Returns a client's value for use in a sentence: in quotes, truncated to 40 bytes.
std::string shown(std::string_view text);

}  // namespace apus::schema
