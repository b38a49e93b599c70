// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schema/fault.hpp"

#include <apus/detail/schema_table.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace apus::schema {

/// Fills an aggregate of plain values, optionals and lists from names and texts, in the order in
/// which they come: what a query and a form are. Both objects outlive it.
class flat_values {
public:
    flat_values(const type& t, void* object, fault_list& out) noexcept
        : type_(&t), object_(static_cast<char*>(object)), out_(&out) {}

    /// The field of this name, or null.
    const field* find(std::string_view name) const noexcept;

    /// Reads a value from a text of UTF-8. A name that stands twice is a fault, but for a list, which
    /// gets each value, up to its greatest size.
    void read(const field&, std::string_view text);

    /// Where to put a value that is no text, made as new there; null, and a fault, where there is no room.
    void* place(const field&);

    /// Finds what is missing, lists that are too short, and what the aggregate's `check` says.
    void finish();

    /// Adds a fault at a field, which then is not missing any more.
    void refuse(const field&, std::string found, std::string expected);

private:
    bool has_room(const field&);
    std::uint64_t bit_of(const field& f) const noexcept { return std::uint64_t(1) << (&f - type_->fields); }
    char* at(const field& f) const noexcept { return object_ + f.offset; }

    const type* type_;
    char* object_;
    fault_list* out_;
    std::uint64_t seen_ = 0;
};

/// Whether a value of this type is there where no text is: an empty list cannot be written as names and texts.
inline bool may_be_absent(const type& t) noexcept { return t.what == kind::list && t.least <= 0; }

/// A value of a client for a sentence: in quotes, and cut after 40 bytes.
std::string shown(std::string_view text);

}  // namespace apus::schema
