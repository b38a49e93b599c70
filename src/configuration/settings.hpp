// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_table.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace apus::configuration {

/// A field of a struct, or of a nested struct, that the environment and the command line can set.
struct setting {
    std::string path;      ///< "mail.host"
    std::string pointer;   ///< Its JSON Pointer: "/mail/host".
    std::string variable;  ///< "SHOP_MAIL__HOST"
    std::string option;    ///< "--mail.host"; "--mail.key-file" for a single secret; empty for a list of secrets.
    const schema::field* field = nullptr;
    bool secret = false;      ///< A secret, an optional secret, or a list of secrets.
    bool from_files = false;  ///< A single secret, whose value may be in a file.
    bool boolean = false;     ///< Its option needs no value.

    const schema::type& type() const noexcept { return *field->of; }
};

/// Maximum nesting of settings; only files can set fields of structs that are nested deeper.
constexpr unsigned max_struct_depth = 8;

/// Returns the settings of a struct.
/// `prefix` is the prefix of variables: "SHOP", or empty. `path` is the path of the struct: empty, or "server". Throws
/// `std::logic_error` if two settings have the same variable or option.
std::vector<setting> settings_of(const schema::type& object, std::string_view prefix, std::string_view path = {});

/// Returns the prefix of variables for a file: "SHOP_API" for "/etc/shop-api.toml".
std::string prefix_of_file(std::string_view file);

/// Returns the value of a setting in an object; null if the value is in an empty optional.
const void* value_in(const schema::type& object, const void* value, std::string_view pointer);

}  // namespace apus::configuration
