// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/chunked.hpp"

#include "base/ascii.hpp"
#include "codec/http1/section.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace apus::codec::http1 {
namespace {

// Fields that must be known before the trailers arrive (RFC 9110, 6.5.1): framing, routing, request modifiers,
// authentication and content metadata.
constexpr std::array<std::string_view, 28> not_in_trailers = {
    "authorization",
    "cache-control",
    "connection",
    "content-encoding",
    "content-length",
    "content-range",
    "content-type",
    "cookie",
    "expect",
    "host",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "keep-alive",
    "max-forwards",
    "pragma",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "range",
    "set-cookie",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "www-authenticate",
};

}  // namespace

bool may_stand_in_trailers(std::string_view name) noexcept {
    return std::ranges::none_of(not_in_trailers, [&](std::string_view other) { return base::same_word(name, other); });
}

parsed<const trailer_section*> read_trailers(std::string_view bytes, const head_limits& limits,
                                             trailer_section& out) noexcept {
    input in{{bytes.data(), bytes.data() + bytes.size()}, nullptr, nullptr};
    const char* last = read_section(in, in.begin, limits, out.fields, out.field_count, read_field_line,
                                    [](const field&) noexcept -> const refusal* { return nullptr; });
    if (last != nullptr) {
        const auto kept = std::remove_if(out.fields, out.fields + out.field_count, [&](const field& line) {
            return !may_stand_in_trailers(line.name.in(in.begin));
        });
        out.field_count = static_cast<std::uint16_t>(kept - out.fields);
    }
    return outcome_of<const trailer_section*>(in, last, &out);
}

}  // namespace apus::codec::http1
