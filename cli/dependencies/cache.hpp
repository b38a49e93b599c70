// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/shell.hpp"

namespace apus::cli::dependencies {

/// A cache entry that can be removed separately: `KIND/NAME` in the cache's folder.
struct cache_entry {
    std::string kind;
    std::filesystem::path path;
    std::uintmax_t bytes = 0;
    std::filesystem::file_time_type used{};
};

/// Returns the entries of the cache, least recently used first.
std::vector<cache_entry> cache_entries();

/// Removes the least recently used entries until at most `bytes` remain. Returns the freed bytes.
std::uintmax_t evict_cache(std::uintmax_t bytes, terminal::shell& shell);

/// Calls `evict_cache` with the limit in APUS_CACHE_SIZE, or 5 GiB if it is not set.
void trim_cache(terminal::shell& shell);

/// Parses a size such as "500M", "5G" or "1.5 GiB" and returns its bytes.
/// Throws `errors::usage` (E0102).
std::uintmax_t parse_size(std::string_view size);

/// Formats a number of bytes: "1.5 GiB".
std::string size_text(std::uintmax_t bytes);

}  // namespace apus::cli::dependencies
