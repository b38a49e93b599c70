// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/content_coding.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace apus::compression {

/// What follows a piece of what is encoded.
enum class then : std::uint8_t {
    more,   ///< Another piece: the coder may keep bytes for a better ratio.
    flush,  ///< Perhaps nothing for a while: what comes out can be decoded up to here.
    end,    ///< Nothing: the coding is complete.
};

/// Puts a content coding on, for one body after the other. Throws `std::bad_alloc` without memory;
/// is then good for nothing but its end.
class encoder {
public:
    virtual ~encoder() = default;

    /// Appends to `out` what the coding makes of a piece.
    virtual void put(std::string_view piece, then, std::string& out) = 0;

    /// Forgets what was put: the next piece begins another body.
    virtual void restart() = 0;

    /// Appends to `out` what the coding makes of a whole body, often in less time than by `put`.
    /// Not in the midst of another body.
    virtual void whole(std::string_view body, std::string& out) = 0;
};

/// An encoder of one of the three codings that we send: gzip, br or zstd. Levels are those of the
/// coding: 1 to 9, 0 to 11, 1 to 19; another is a bug of the caller. With its levels up to 6 one
/// takes at most 2 MiB.
std::unique_ptr<encoder> make_encoder(content_coding, int level);

}  // namespace apus::compression
