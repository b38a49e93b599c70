// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk/open_file.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace apus::disk {

enum class entry_kind : std::uint8_t {
    folder,
    file
};

/// What a folder holds under a name.
struct listed_entry {
    std::string name;
    entry_kind type;
    std::optional<std::uint64_t> size;  ///< In bytes; of a file.
    std::chrono::sys_seconds modified;
};

/// A folder's contents, as JSON has them too.
struct listing {
    std::vector<listed_entry> entries;  ///< Folders first, then by name, byte by byte.
    bool complete = true;               ///< False: the folder holds more than was read.
};

struct listed {
    listing what;
    int error = 0;  ///< An errno, if it is no folder that can be read.
};

/// Reads the folder `path` below `root`, which is empty or ends in a slash: those regular files and
/// folders in it that a request can reach. Looks at `most` names, in whatever order the
/// file system has them. Waits for the disk; safe on any thread.
listed list_folder(int root, const std::string& path, links, bool hidden, unsigned most);

/// A page with a link to each entry. `title` is the folder's name for people; `top` has no link up.
std::string listing_page(const listing&, std::string_view title, bool top);

}  // namespace apus::disk
