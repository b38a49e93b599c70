// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk/open_file.hpp"

#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace apus::disk {

/// The content codings of compressed copies, best first, and the suffixes of their file names.
struct sibling {
    std::string_view coding;
    std::string_view suffix;
};
inline constexpr std::array<sibling, 3> siblings{{{"br", ".br"}, {"zstd", ".zst"}, {"gzip", ".gz"}}};

/// A file with the field lines of its responses.
struct variant {
    held_file file;
    std::string lines;             ///< all field lines of a 200
    std::string media_type;        ///< Type of the file, for the parts of a 206.
    std::size_t without_type = 0;  ///< Number of bytes of `lines` in a 206 with several parts.
    std::size_t of_304 = 0;        ///< Number of bytes of `lines` in a 304.
};

/// A file and its compressed copies, as they were when they were opened.
struct served_file {
    std::array<variant, siblings.size() + 1> variants;  ///< The last variant is the file itself.

    const variant& plain() const noexcept { return variants.back(); }

    /// Returns the preferred variant for this Accept-Encoding value.
    /// A view with a null pointer means that the field is missing. Returns the file itself if no variant is acceptable.
    const variant& choose(std::string_view accept_encoding) const noexcept;
};

/// Header fields of a file's response.
struct presentation {
    std::string_view media_type;     ///< If empty, determined by the file name.
    std::string_view cache_control;  ///< No Cache-Control field if empty.
    std::string_view disposition;    ///< No Content-Disposition field if empty.
};

/// Opens a file and, if enabled, its compressed siblings, and prepares their field lines.
/// `known`: the previous state or null; unchanged files are shared with the previous state. May be called on any
/// thread.
struct loaded {
    std::shared_ptr<const served_file> file;  ///< Null after an error.
    int error = 0;                            ///< See `opened::error`.
    bool directory = false;
};
loaded load(int root, const std::string& path, links, bool precompressed, const presentation&, patience,
            const served_file* known);

}  // namespace apus::disk
