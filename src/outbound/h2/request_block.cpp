// SPDX-License-Identifier: Apache-2.0
#include "outbound/h2/request_block.hpp"

#include "base/ascii.hpp"
#include "codec/fields/list.hpp"
#include "codec/hpack/literal.hpp"
#include "codec/http2/frame.hpp"
#include "http/field_lines.hpp"
#include "http/h2/header_block.hpp"

#include <algorithm>

namespace apus::outbound::h2 {
namespace {

using codec::hpack::max_literal;

constexpr std::string_view indexed_names[] = {"accept", "accept-encoding", "accept-language", "content-type",
                                              "user-agent"};
constexpr std::string_view secret_names[] = {"authorization", "cookie", "proxy-authorization"};

// Fields that HTTP/2 replaces or forbids (RFC 9113, 8.2.2 and 8.3.1).
constexpr std::string_view left_out[] = {"host", "proxy-connection", "http2-settings"};

// Returns the entry of `names` that equals `name` ignoring case, or an empty text.
template <std::size_t N>
std::string_view among(const std::string_view (&names)[N], std::string_view name) noexcept {
    const auto* at = std::ranges::find_if(names, [&](auto one) { return base::equal_ignoring_case(one, name); });
    return at == std::end(names) ? std::string_view() : *at;
}

std::size_t room_for(const request_head& r) noexcept {
    constexpr std::size_t min_line = 5;  // bytes of the shortest line: a one-byte name, ": " and CRLF
    const std::size_t block = codec::hpack::encoder::max_begin + max_literal(7, r.method.size()) +
                              max_literal(7, r.scheme.size()) + max_literal(10, r.authority.size()) +
                              max_literal(5, r.path.size()) + r.lines.size() +
                              (r.lines.size() / min_line + 1) * max_literal(0, 0);
    return block + (block / codec::http2::default_frame_size + 1) * codec::http2::frame_head_size;
}

}  // namespace

void write_request(http::h2::frame_buffer& out, codec::hpack::encoder& encoder, const request_head& r,
                   std::uint32_t stream, bool ends_stream) {
    using codec::hpack::coding;
    using codec::hpack::indexing;
    char* const frame = out.room(room_for(r));
    char* to = encoder.begin_block(frame + codec::http2::frame_head_size);
    to = encoder.write_indexed(to, ":method", r.method);
    to = encoder.write_indexed(to, ":scheme", r.scheme);
    to = encoder.write_indexed(to, ":authority", r.authority);
    to = r.path == "/" ? encoder.write_indexed(to, ":path", r.path)
                       : codec::hpack::write_literal(to, ":path", r.path, coding::huffman);
    for (std::size_t at = 0; at < r.lines.size();) {
        const auto [name, written, next] = http::split_line(r.lines, at);
        at = next;
        // HTTP/1.1 ignores white space around values, HTTP/2 forbids it (RFC 9113, 8.2.1).
        const std::string_view value = codec::fields::trimmed(written);
        if (!among(left_out, name).empty()) continue;
        if (const auto known = among(indexed_names, name); !known.empty()) {
            to = encoder.write_indexed(to, known, value);
        } else {
            const bool secret = !among(secret_names, name).empty();
            to = codec::hpack::write_literal(to, name, value, coding::huffman,
                                             secret ? indexing::never : indexing::without);
        }
    }
    const std::uint8_t flags = ends_stream ? codec::http2::flag_end_stream : codec::http2::flag_none;
    out.wrote(http::h2::frame_block(frame, to, stream, flags));
}

}  // namespace apus::outbound::h2
