// SPDX-License-Identifier: Apache-2.0
#include "codec/multipart/boundary.hpp"

#include "base/ascii.hpp"
#include "codec/multipart/parameter.hpp"
#include "codec/multipart/refusals.hpp"

#include <algorithm>

namespace apus::codec::multipart {
namespace {

constexpr parsed<std::string_view> bad(const refusal& why) noexcept { return {outcome::bad, {}, 0, &why}; }

bool in_boundary(char c) noexcept {
    return base::is_letter(c) || base::is_digit(c) || std::string_view("'()+_,-./:=? ").contains(c);
}

bool is_boundary(std::string_view text) noexcept {
    return !text.empty() && text.size() <= max_boundary && text.back() != ' ' && std::ranges::all_of(text, in_boundary);
}

}  // namespace

parsed<std::string_view> read_boundary(std::string_view content_type) noexcept {
    std::string_view rest = content_type.substr(std::min(content_type.find(';'), content_type.size()));
    std::string_view found;
    bool seen = false;
    while (true) {
        const auto next = read_parameter(rest);
        if (next.state == outcome::bad) return bad(refusals::type_bad);
        if (next.value.name.empty()) break;
        rest.remove_prefix(next.used);
        if (!base::same_word(next.value.name, "boundary")) continue;
        if (seen) return bad(refusals::type_bad);
        seen = true;
        found = next.value.value;
    }
    if (!seen) return bad(refusals::boundary_missing);
    if (!is_boundary(found)) return bad(refusals::boundary_bad);
    return {outcome::done, found, content_type.size(), nullptr};
}

}  // namespace apus::codec::multipart
