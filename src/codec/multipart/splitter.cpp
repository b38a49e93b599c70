// SPDX-License-Identifier: Apache-2.0
#include "codec/multipart/splitter.hpp"

#include "base/ascii.hpp"
#include "codec/multipart/refusals.hpp"

#include <algorithm>

namespace apus::codec::multipart {
namespace {

constexpr parsed<piece> partial{outcome::partial};

constexpr parsed<piece> bad(const refusal& why) noexcept { return {outcome::bad, {}, 0, &why}; }

constexpr parsed<piece> done(piece::is what, std::string_view bytes, std::size_t used) noexcept {
    return {outcome::done, {what, bytes}, used, nullptr};
}

// Returns the number of bytes at the end of `in` that may be the beginning of the delimiter. The only CR of the
// delimiter is its first byte.
std::size_t may_begin(std::string_view delimiter, std::string_view in) noexcept {
    const std::string_view tail = in.substr(in.size() - std::min(in.size(), delimiter.size() - 1));
    const auto at = tail.rfind('\r');
    if (at == tail.npos || !delimiter.starts_with(tail.substr(at))) return 0;
    return tail.size() - at;
}

}  // namespace

parsed<piece> splitter::next(std::string_view in) noexcept {
    if (in.empty()) return partial;
    switch (at_) {
        case place::begin: return first_boundary(in);
        case place::behind_boundary: return behind_boundary(in);
        case place::padding: return line_end(in, place::head);
        case place::head: return head(in);
        case place::data_begins: {
            const std::string_view boundary = delimiter_.substr(2);
            if (in.starts_with(boundary)) return bad(refusals::no_empty_line);
            if (boundary.starts_with(in)) return partial;
            at_ = place::data;
            return up_to_delimiter(in);
        }
        case place::preamble:
        case place::data: return up_to_delimiter(in);
        case place::closing: return line_end(in, place::epilogue);
        case place::epilogue: break;
    }
    return done(piece::is::nothing, {}, in.size());
}

parsed<piece> splitter::first_boundary(std::string_view in) noexcept {
    const std::string_view boundary = delimiter_.substr(2);
    if (in.starts_with(boundary)) {
        at_ = place::behind_boundary;
        return done(piece::is::nothing, {}, boundary.size());
    }
    if (boundary.starts_with(in)) return partial;
    at_ = place::preamble;
    return up_to_delimiter(in);
}

parsed<piece> splitter::behind_boundary(std::string_view in) noexcept {
    if (in == "-") return partial;
    const bool last = in.starts_with("--");
    at_ = last ? place::closing : place::padding;
    return last ? done(piece::is::nothing, {}, 2) : line_end(in, place::head);
}

// Skips the white space at the end of a boundary line (RFC 2046, 5.1.1: transport-padding), and the CRLF.
parsed<piece> splitter::line_end(std::string_view in, place then) noexcept {
    if (base::is_blank(in.front()))
        return done(piece::is::nothing, {}, std::min(in.find_first_not_of(" \t"), in.size()));
    if (in == "\r") return partial;
    if (!in.starts_with("\r\n")) return bad(refusals::behind_boundary);
    at_ = then;
    return done(piece::is::nothing, {}, 2);
}

parsed<piece> splitter::head(std::string_view in) noexcept {
    if (in == "\r") return partial;
    const auto end = in.starts_with("\r\n") ? 0 : in.find("\r\n\r\n");
    if (end == in.npos) return in.size() > max_head_ + 1 ? bad(refusals::head_too_large) : partial;
    const std::size_t size = end == 0 ? 0 : end + 2;
    if (size > max_head_) return bad(refusals::head_too_large);
    at_ = place::data_begins;
    return done(piece::is::head, in.substr(0, size), size + 2);
}

parsed<piece> splitter::up_to_delimiter(std::string_view in) noexcept {
    const bool in_part = at_ == place::data;
    const auto found = in.find(delimiter_);
    if (found == 0) {
        at_ = place::behind_boundary;
        return done(in_part ? piece::is::part_end : piece::is::nothing, {}, delimiter_.size());
    }
    const std::size_t size = found == in.npos ? in.size() - may_begin(delimiter_, in) : found;
    if (size == 0) return partial;
    return in_part ? done(piece::is::data, in.substr(0, size), size) : done(piece::is::nothing, {}, size);
}

}  // namespace apus::codec::multipart
