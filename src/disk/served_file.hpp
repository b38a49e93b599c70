// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk/open_file.hpp"

#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace apus::disk {

/// The content codings a file may be there in besides itself, best first, and the ends of their names.
struct sibling {
    std::string_view coding;
    std::string_view suffix;
};
inline constexpr std::array<sibling, 3> siblings{{{"br", ".br"}, {"zstd", ".zst"}, {"gzip", ".gz"}}};

/// A file with the field lines that its responses have.
struct variant {
    held_file file;
    std::string lines;             ///< All those of a 200.
    std::string media_type;        ///< Of the whole, for the parts of a 206.
    std::size_t without_type = 0;  ///< So many bytes of `lines` a 206 with several parts has.
    std::size_t of_304 = 0;        ///< And so many a 304.
};

/// A file and its compressed siblings, as they were when they were opened.
struct served_file {
    std::array<variant, siblings.size() + 1> variants;  ///< The last one is the file itself.

    const variant& plain() const noexcept { return variants.back(); }

    /// The variant that a client gets who sent this Accept-Encoding; without data if it sent none.
    /// Its best liked one; the file itself where all are refused, since that is better than nothing.
    const variant& choose(std::string_view accept_encoding) const noexcept;
};

/// What the field lines of a file say besides what it is.
struct presentation {
    std::string_view media_type;     ///< By the name if empty.
    std::string_view cache_control;  ///< No such field if empty.
    std::string_view disposition;    ///< The value of Content-Disposition, if there is to be one.
};

/// Opens a file and, if asked for, its siblings, and writes their lines. `known` is what was there
/// before, and may be null: what has not changed is shared with it. Safe on any thread.
struct loaded {
    std::shared_ptr<const served_file> file;  ///< Null on an error.
    int error = 0;                            ///< As of `opened`.
    bool directory = false;
};
loaded load(int root, const std::string& path, links, bool precompressed, const presentation&, patience,
            const served_file* known);

}  // namespace apus::disk
