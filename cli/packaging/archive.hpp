// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "cli/packaging/tree.hpp"

namespace apus::cli::packaging {

/// Writes a tar archive (POSIX.1-1988's ustar, with GNU's entries for longer names) that has `of` below `prefix`
/// ("" or "shop-1.0/"), in order, with `epoch` as the time of each. Names of users are left out; their numbers are
/// the entries'.
void write_tar(const fs::path& archive, const tree& of, std::string_view prefix, std::int64_t epoch);

/// Compresses a file by gzip and removes it: gives FILE.gz.
fs::path gzip_file(const fs::path& file);

}  // namespace apus::cli::packaging
