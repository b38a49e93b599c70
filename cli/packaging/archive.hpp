// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "cli/packaging/tree.hpp"

namespace apus::cli::packaging {

/// Writes a tar archive of `of` below `prefix` ("" or "shop-1.0/"), sorted.
/// The format is ustar (POSIX.1-1988), with GNU entries for long names. `epoch` is the modification time of each entry.
/// Owners are written as numeric ids, without names.
void write_tar(const fs::path& archive, const tree& of, std::string_view prefix, std::int64_t epoch);

/// Compresses a file with gzip and removes the original. Returns FILE.gz.
fs::path gzip_file(const fs::path& file);

}  // namespace apus::cli::packaging
