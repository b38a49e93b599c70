// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_table.hpp>
#include <apus/json_value.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace apus::openapi {

/// The schemas (JSON Schema 2020-12) of types, for one document. Aggregates and enumerations
/// become components, which others refer to by name: that of the type, with a number behind it if
/// another type has that already.
class schema_set {
public:
    /// As JSON has it.
    json_value of(const schema::type& t);

    /// As a value in a query, path or form: an optional is what it holds, since nothing there is null. Texts hold no
    /// NUL there.
    json_value of_plain(const schema::type& t);

    /// A struct as a whole form. Names that it has not pass, as everywhere in forms.
    json_value of_form(const schema::type& t);

    /// The schema of a field with what is said of it, and its default if it has one and need not be
    /// sent. `made` is an object as it is made.
    json_value of_field(const schema::field& f, bool required, const void* made, bool plain);

    /// Adds a component that is no type.
    void add(std::string_view name, json_value schema);

    /// All of them, by name, in the order in which they were met.
    json_value components() &&;

private:
    struct component {
        const schema::type* of;  // null for what is no type
        std::string_view tag;    // not empty: as an alternative of a variant, with the member "type"
        std::string name;
        json_value schema;
    };

    json_value reference(const schema::type& t, std::string_view tag);
    std::string free_name(std::string_view wanted) const;
    json_value object(const schema::type& t, std::string_view tag);
    json_value variant(const schema::type& t);

    std::vector<component> components_;
};

}  // namespace apus::openapi
