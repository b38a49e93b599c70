// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <cstdint>
#include <string_view>

namespace apus::codec::multipart {

/// A part of a body that `splitter` returns.
struct piece {
    enum class is : std::uint8_t {
        nothing,  ///< Bytes to ignore: preamble, boundary or epilogue.
        head,     ///< Start of a part. `bytes` are the header lines, each with its CRLF.
        data,     ///< A piece of the part's data.
        part_end
    };
    is what = is::nothing;
    std::string_view bytes;  ///< View of the input.
};

/// Splits a multipart body (RFC 2046, 5.1.1) that arrives in pieces of any size.
/// `next` takes unread bytes and returns the number of consumed bytes. After `partial`, call it again with the
/// unconsumed bytes and more bytes. `next` leaves at most the length of a boundary unconsumed, or `max_head` bytes in a
/// header. Skips preamble and epilogue. Rejects input that other parsers may interpret differently: lines that only
/// begin like the boundary, and parts without an empty line.
class splitter {
public:
    /// `delimiter` is CRLF, two hyphens and the boundary, and must outlive this object.
    /// `max_head` is the maximum size of a part's header in bytes.
    splitter(std::string_view delimiter, std::size_t max_head) noexcept : delimiter_(delimiter), max_head_(max_head) {}

    parsed<piece> next(std::string_view in) noexcept;

    /// Returns true if the body may end here, if `unread` are its last bytes.
    bool complete(std::string_view unread) const noexcept {
        return at_ == place::epilogue || (at_ == place::closing && unread.empty());
    }

private:
    enum class place : std::uint8_t {
        begin,  // start of the body: the boundary needs no CRLF before it
        preamble,
        behind_boundary,
        padding,  // white space after a boundary
        head,
        data_begins,  // start of the data: a boundary needs no CRLF before it
        data,
        closing,  // after the last boundary
        epilogue
    };

    parsed<piece> first_boundary(std::string_view in) noexcept;
    parsed<piece> behind_boundary(std::string_view in) noexcept;
    parsed<piece> line_end(std::string_view in, place then) noexcept;
    parsed<piece> head(std::string_view in) noexcept;
    parsed<piece> up_to_delimiter(std::string_view in) noexcept;

    std::string_view delimiter_;
    std::size_t max_head_;
    place at_ = place::begin;
};

}  // namespace apus::codec::multipart
