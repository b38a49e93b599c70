// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "configuration/node.hpp"
#include "configuration/settings.hpp"
#include "schema/fault.hpp"

#include <span>
#include <string>
#include <string_view>

namespace apus::configuration {

/// The configuration in which faults were found.
struct sentence_context {
    const schema::type& object;
    const node& tree;
    std::string_view path;  ///< Path of the struct: empty, or "server".
    std::span<const setting> settings;
    std::string_view file;  ///< Path of the file; empty if the program reads no file.
};

/// Returns a fault as a sentence for operators.
/// Example: "shop.toml:3:1: `page_size` must be an integer from 1 to 1000, not 5000".
std::string sentence(const schema::fault&, const sentence_context&);

/// Returns where a value was set, such as "shop.toml:3:1" or "SHOP_PAGE_SIZE".
/// Empty for an initial value.
std::string place_of(const origin&);

/// Replaces the password of each URL in a text: "postgres://shop:***@db/shop".
std::string without_passwords(std::string text);

}  // namespace apus::configuration
