// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::cli::manifest {

/// `text`, which is TOML, with `key = value` in `[table]`. A line that is there keeps its place and its
/// comment; a new one stands last in the table, and a new table last in the file. All else stays byte for
/// byte. `value` is TOML. Throws E0209 where the key is a table of its own (`[table.key]`) or dotted.
std::string set_key(std::string_view text, std::string_view table, std::string_view key, std::string_view value);

/// `text` without the key, its table staying there even if it is empty. Returns it as it is if there is none.
std::string remove_key(std::string_view text, std::string_view table, std::string_view key);

}  // namespace apus::cli::manifest
