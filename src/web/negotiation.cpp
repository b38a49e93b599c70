// SPDX-License-Identifier: Apache-2.0
#include <apus/negotiation.hpp>

#include "base/ascii.hpp"
#include "codec/fields/accept.hpp"
#include "http/list_fields.hpp"

#include <string>

namespace apus::detail {
namespace {

// "a", "a or b", "a, b or c"
std::string one_of_those(const std::string_view* types, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) text += i + 1 == count ? " or " : ", ";
        text += types[i];
    }
    return text;
}

}  // namespace

std::size_t choose_type(const request& req, const std::string_view* types, std::size_t count, response& out) {
    const std::string accept = http::whole_field(req, "accept");
    std::size_t best = count;
    unsigned most = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto weight = codec::fields::media_weight(accept, types[i]);
        if (!weight) return 0;
        if (*weight > most) most = *weight, best = i;
    }
    if (best == count) out = response(error(406, "available media types: " + one_of_those(types, count)));
    return best;
}

void label(response& out, std::string_view type) {
    if (out.status() >= 300) return;
    const std::string_view now = out.media_type();
    if (base::equal_ignoring_case(now.substr(0, type.size()), type) &&
        (now.size() == type.size() || now[type.size()] == ';'))
        return;
    const bool says_charset = !type.starts_with("text/") || type.contains(";");
    out.header("content-type", says_charset ? std::string(type) : std::string(type) + "; charset=utf-8");
}

void vary_by_accept(response& out) { http::vary(out, "Accept"); }

}  // namespace apus::detail
