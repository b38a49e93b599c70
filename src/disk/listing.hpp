// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk/open_file.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apus::disk {

enum class entry_kind : std::uint8_t {
    folder,
    file
};

/// An entry of a folder.
struct listed_entry {
    std::string name;
    entry_kind type;
    std::optional<std::uint64_t> size;  ///< Size in bytes; only for files.
    std::chrono::sys_seconds modified;
};

/// A folder's contents; also the model of the JSON response.
struct listing {
    std::vector<listed_entry> entries;  ///< Folders first; sorted by name, byte by byte.
    bool complete = true;               ///< False if the folder has more entries than were read.
};

struct listed {
    listing what;
    int error = 0;  ///< An errno if the folder cannot be read.
};

/// Lists the folder `path` below `root`, which is empty or ends in a slash.
/// Includes only files and folders that requests can reach. Reads at most `most` names, in directory order. Blocks
/// while the disk is read; may be called on any thread.
listed list_folder(int root, const std::string& path, links, bool hidden, unsigned most);

/// Returns an HTML page with a link to each entry.
/// `title` is the displayed name; `top` omits the link to the parent folder.
std::string listing_page(const listing&, std::string_view title, bool top);

}  // namespace apus::disk
