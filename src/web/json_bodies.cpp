// SPDX-License-Identifier: Apache-2.0
#include <apus/detail/json_text.hpp>

#include "base/ascii.hpp"
#include "codec/json/parse.hpp"
#include "codec/json/print.hpp"
#include "http/exchange.hpp"
#include "http/known_types.hpp"
#include "web/invalid_input.hpp"

#include <span>

namespace apus::detail {
namespace {

// Whether a media type is application/json or ends in +json (RFC 6839, 3.1), ignoring parameters.
bool is_json(std::string_view type) noexcept {
    type = type.substr(0, type.find(';'));
    while (!type.empty() && base::is_blank(type.back())) type.remove_suffix(1);
    if (base::same_word(type, "application/json")) return true;
    const auto slash = type.find('/');
    return slash != type.npos && slash != 0 && type.size() > slash + 6 &&
           base::same_word(type.substr(type.size() - 5), "+json");
}

// The index of application/json among the known types, which need no field line.
constexpr std::uint8_t json_type = 2;
static_assert(http::known_types[json_type].type() == "application/json");

}  // namespace

bool read_json_body(request& req, const schema::type& t, void* value, response& out) {
    const std::string_view type = exchange_of(req).field("content-type");
    if (!is_json(type)) {
        refuse(error(415, type.empty() ? "the body must be application/json, but Content-Type is missing or invalid"
                                       : "the body must be application/json, not " + std::string(type)),
               out);
        return false;
    }
    codec::json::report found;
    codec::json::parse(exchange_of(req).body, t, value, found);
    if (found.fine()) return true;
    out = found.malformed
              ? web::invalid_input(400, "the body is not valid JSON", found.list)
              : web::invalid_input(found.list.status, "the JSON does not match the expected structure", found.list);
    return false;
}

void put_json(response& out, const schema::type& t, const void* value) {
    out.set_known_type(json_type);
    const std::span<char> room = http::body_room(out);
    if (room.empty()) return codec::json::print(t, value, out.bytes());
    const std::string_view body = codec::json::print(t, value, room, out.bytes());
    if (body.data() != room.data()) return;
    out.set_literal(body);
    out.set_known_type(json_type);
}

}  // namespace apus::detail
