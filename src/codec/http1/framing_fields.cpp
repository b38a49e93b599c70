// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/framing_fields.hpp"

#include "base/ascii.hpp"
#include "codec/fields/list.hpp"
#include "codec/http1/refusals.hpp"

#include <limits>

namespace apus::codec::http1 {
namespace {

using base::same_name;

/// Returns the reason for rejecting a Transfer-Encoding other than "chunked".
const refusal* refuse_coding(std::string_view value) noexcept {
    if (value.empty() || value.back() == ',') return &refusals::coding_malformed;
    bool chunked_before = false;
    while (!value.empty()) {
        const std::string_view item = fields::next_of_list(value);
        const std::string_view coding = item.substr(0, item.find_first_of("; \t"));
        if (coding.empty()) return &refusals::coding_malformed;
        for (const char c : coding)
            if (!base::is(c, base::token_byte)) return &refusals::coding_malformed;
        const bool chunked = same_name(coding, "chunked");
        if (chunked_before || (chunked && coding.size() != item.size())) return &refusals::coding_not_last;
        chunked_before = chunked;
    }
    return &refusals::coding_unknown;
}

}  // namespace

const refusal* note_length(std::string_view value, known_fields& seen, std::uint64_t& out) noexcept {
    if ((seen & length_given) != 0) return &refusals::length_repeated;
    seen |= length_given;
    if (value.empty()) return &refusals::length_malformed;
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    std::uint64_t length = 0;
    bool too_large = false;
    for (const char c : value) {
        if (!base::is_digit(c)) return &refusals::length_malformed;
        const auto digit = static_cast<unsigned>(c - '0');
        too_large = too_large || length > (most - digit) / 10;
        length = length * 10 + digit;
    }
    if (too_large) return &refusals::length_too_large;
    out = length;
    return nullptr;
}

const refusal* note_coding(std::string_view value, known_fields& seen, unsigned minor) noexcept {
    if (minor == 0) return &refusals::coding_in_http10;
    if ((seen & coding_given) != 0) return &refusals::coding_repeated;
    seen |= coding_given;
    return same_name(value, "chunked") ? nullptr : refuse_coding(value);
}

void note_connection(std::string_view value, known_fields& seen) noexcept {
    while (!value.empty()) {
        const std::string_view option = fields::next_of_list(value);
        if (same_name(option, "close")) seen |= close_said;
        else if (same_name(option, "keep-alive")) seen |= keep_alive_said;
        else if (same_name(option, "upgrade")) seen |= upgrade_said;
    }
}

}  // namespace apus::codec::http1
