// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_table.hpp>
#include <apus/json_value.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace apus::openapi {

/// The schemas (JSON Schema 2020-12) of one document.
/// Aggregates and enumerations become components with the type's name, followed by a number if that name is taken.
class schema_set {
public:
    json_value of(const schema::type& t);

    /// Returns the schema for a value in a query, path or form.
    /// An optional has the schema of its value, since these formats cannot express null. Texts must not contain NUL.
    json_value of_plain(const schema::type& t);

    /// Returns the schema for a struct that is sent as a whole form. Forms may contain additional
    /// names.
    json_value of_form(const schema::type& t);

    /// Returns the schema of a field with its annotations, and with its default if optional.
    /// `made` is an object with the initial values.
    json_value of_field(const schema::field& f, bool required, const void* made, bool plain);

    /// Adds a component that belongs to no C++ type.
    void add(std::string_view name, json_value schema);

    /// Returns all components by name, in the order of their first use.
    json_value components() &&;

private:
    struct component {
        const schema::type* of;  // null for components that belong to no C++ type
        // If not empty, the type is an alternative of a variant, and this is the value of its member "type".
        std::string_view tag;
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
