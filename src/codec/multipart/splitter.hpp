// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <cstdint>
#include <string_view>

namespace apus::codec::multipart {

/// What comes next in a body.
struct piece {
    enum class is : std::uint8_t {
        nothing,  ///< Bytes that say nothing: a preamble, a boundary, an epilogue.
        head,     ///< A part begins. `bytes` are the lines of its header, each with its CRLF.
        data,     ///< Some of the part's data.
        part_end  ///< The part has ended.
    };
    is what = is::nothing;
    std::string_view bytes;  ///< Views what was given.
};

/// Takes a multipart body apart (RFC 2046, 5.1.1), which may come in pieces of any size. It is given
/// what is unread, and says how much of that it has used; on `partial` it wants the same bytes again
/// with more behind them: never more than a boundary's length, or in a header its limit.
///
/// Preamble and epilogue are passed over. What readers are known to disagree on is refused: lines
/// that begin as the boundary does and go on otherwise, and parts without an empty line.
class splitter {
public:
    /// `delimiter` is CRLF, two hyphens and the boundary, and outlives this; `max_head` counts the
    /// bytes of one part's header.
    splitter(std::string_view delimiter, std::size_t max_head) noexcept : delimiter_(delimiter), max_head_(max_head) {}

    parsed<piece> next(std::string_view in) noexcept;

    /// Whether the body may end here, with these bytes unread.
    bool complete(std::string_view unread) const noexcept {
        return at_ == place::epilogue || (at_ == place::closing && unread.empty());
    }

private:
    enum class place : std::uint8_t {
        begin,  // of the body: the boundary may stand here without a line before it
        preamble,
        behind_boundary,
        padding,  // white space behind it
        head,
        data_begins,  // a boundary here would have no line before it
        data,
        closing,  // behind the last boundary
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
