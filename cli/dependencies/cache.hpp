// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/shell.hpp"

namespace apus::cli::dependencies {

/// Something in the cache that can be given up by itself: `KIND/NAME` in the cache's folder.
struct cached {
    std::string kind;
    std::filesystem::path path;
    std::uintmax_t bytes = 0;
    std::filesystem::file_time_type used{};
};

/// All that is in the cache, what was used longest ago first.
std::vector<cached> cache_content();

/// Removes what was used longest ago until the rest takes at most `bytes`. Returns the bytes that were freed.
std::uintmax_t collect_cache(std::uintmax_t bytes, terminal::shell& shell);

/// As `collect_cache`, with the size in APUS_CACHE_SIZE, or 5 GiB.
void keep_to_cap(terminal::shell& shell);

/// "500M", "5G", "1.5 GiB" in bytes. Throws `errors::usage` (E0102).
std::uintmax_t bytes_of(std::string_view size);

/// "1.5 GiB".
std::string size_text(std::uintmax_t bytes);

}  // namespace apus::cli::dependencies
