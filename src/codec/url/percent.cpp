// SPDX-License-Identifier: Apache-2.0
#include "codec/url/percent.hpp"

#include "base/ascii.hpp"
#include "base/utf8.hpp"

#include <cstddef>

namespace apus::codec::url {
namespace {

constexpr parsed<std::string_view> bad(const refusal& why) noexcept { return {outcome::bad, {}, 0, &why}; }

}  // namespace

parsed<std::string_view> decode_percent(std::string_view in, char* out) noexcept {
    char* to = out;
    for (std::size_t at = 0; at < in.size(); ++at) {
        char c = in[at];
        if (c == '%') {
            const int high = in.size() - at > 2 ? base::hex_value(in[at + 1]) : -1;
            const int low = high >= 0 ? base::hex_value(in[at + 2]) : -1;
            if (low < 0) return bad(bad_triplet);
            c = static_cast<char>(high * 16 + low);
            at += 2;
        }
        if (c == '\0') return bad(encoded_nul);
        *to++ = c;
    }
    const std::string_view decoded(out, static_cast<std::size_t>(to - out));
    if (!base::is_utf8(decoded)) return bad(not_utf8);
    return {outcome::done, decoded, in.size(), nullptr};
}

bool has_dot_segment(std::string_view path) noexcept {
    for (;;) {
        const auto slash = path.find('/');
        const auto segment = path.substr(0, slash);
        if (segment == "." || segment == "..") return true;
        if (slash == path.npos) return false;
        path.remove_prefix(slash + 1);
    }
}

}  // namespace apus::codec::url
