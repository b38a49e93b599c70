// SPDX-License-Identifier: Apache-2.0
#include "middleware/response_bytes.hpp"

#include "base/sized_text.hpp"

#include <stdexcept>

namespace apus::middleware {
namespace {

// Format: texts, each preceded by its size in four bytes: media type, body, then name and value of each field.
constexpr unsigned text_size_bytes = 4;

bool valid(const stored_response& r) {
    try {
        response probe;
        r.put_into(probe);
        return true;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

}  // namespace

void append_response(std::string& to, const stored_response& of) {
    base::put_text(to, of.type, text_size_bytes);
    base::put_text(to, of.body, text_size_bytes);
    for (const auto& [name, value] : of.fields)
        base::put_text(to, name, text_size_bytes), base::put_text(to, value, text_size_bytes);
}

bool read_response(std::string_view from, stored_response& to) {
    const auto type = base::take_text(from, text_size_bytes),
               body = type ? base::take_text(from, text_size_bytes) : std::nullopt;
    if (!body) return false;
    to.type = *type;
    while (!from.empty()) {
        const auto name = base::take_text(from, text_size_bytes);
        const auto value = name ? base::take_text(from, text_size_bytes) : std::nullopt;
        if (!value) return false;
        to.fields.emplace_back(*name, *value);
    }
    if (!valid(to)) return false;
    to.body = *body;  // last: a body is always valid, and is not copied to examine the rest
    return true;
}

}  // namespace apus::middleware
