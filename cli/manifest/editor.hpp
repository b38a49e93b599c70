// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::cli::manifest {

/// Returns `text`, a TOML document, with `key = value` set in `[table]`.
/// An existing line keeps its position and comment. New keys are added at the end of their table, and new tables at the
/// end of the file. All other bytes are unchanged. `value` is TOML. Throws E0209 if the key is a table (`[table.key]`)
/// or a dotted key.
std::string set_key(std::string_view text, std::string_view table, std::string_view key, std::string_view value);

/// Returns `text` without the key. Its table is kept, even if empty. An absent key changes nothing.
std::string remove_key(std::string_view text, std::string_view table, std::string_view key);

}  // namespace apus::cli::manifest
