// SPDX-License-Identifier: Apache-2.0
#include <apus/client.hpp>

#include "base/ascii.hpp"
#include "codec/http1/field_rules.hpp"
#include "http/field_lines.hpp"
#include "outbound/exchange.hpp"

#include <algorithm>
#include <stdexcept>

namespace apus {
namespace {

// The client sets framing and connection fields; values set by the user could cause request smuggling.
constexpr std::string_view reserved[] = {"content-length", "transfer-encoding", "connection", "expect", "te",
                                         "upgrade",        "keep-alive"};

}  // namespace

client_request::client_request(std::string_view verb, std::string_view url) {
    if (!codec::http1::is_token(verb) || verb == "CONNECT")
        throw std::invalid_argument("`" + std::string(verb) + "` is not a supported method of client requests");
    of_.method = verb;
    of_.url = url;
}

client_request& client_request::header(std::string_view name, std::string_view value) & {
    if (!codec::http1::is_token(name)) throw std::invalid_argument("`" + std::string(name) + "` is not a field name");
    if (!codec::http1::is_field_value(value))
        throw std::invalid_argument("the value of `" + std::string(name) + "` contains a control character");
    const bool ours = std::ranges::any_of(reserved, [&](std::string_view r) { return base::same_word(name, r); });
    if (ours) throw std::invalid_argument("`" + std::string(name) + "` is set by the client");
    of_.fields.append(name).append(": ").append(value).append("\r\n");
    return *this;
}

client_request& client_request::body(std::string bytes, std::string_view media_type) & {
    if (!codec::http1::is_field_value(media_type))
        throw std::invalid_argument("the media type contains a control character");
    of_.uploads = {};
    of_.body = std::move(bytes);
    of_.media_type = media_type;
    of_.has_body = true;
    return *this;
}

void client_request::upload_of(std::string_view media_type, std::uint64_t length) {
    if (!codec::http1::is_field_value(media_type))
        throw std::invalid_argument("the media type contains a control character");
    of_.has_body = false;
    of_.body.clear();
    of_.media_type = media_type;
    of_.length = length;
}

std::optional<std::string_view> outbound::field_in(std::string_view lines, std::string_view name) noexcept {
    for (std::size_t at = 0; at < lines.size();) {
        const auto line = http::split_line(lines, at);
        if (base::equal_ignoring_case(line.name, name)) return line.value;
        at = line.next;
    }
    return std::nullopt;
}

bool outbound::leaves_codings(const detail::asked& req) {
    return !field_in(req.fields, "accept-encoding") && !field_in(req.fields, "range");
}

std::string outbound::field_lines_of(const detail::asked& req, const url& to, std::string_view codings, bool http2) {
    std::string text;
    if (!http2 && !field_in(req.fields, "host")) text += "Host: " + to.authority() + "\r\n";
    if (!field_in(req.fields, "user-agent")) text += "User-Agent: apus\r\n";
    if (!codings.empty()) text.append("Accept-Encoding: ").append(codings).append("\r\n");
    text += req.fields;
    if (!req.media_type.empty() && !field_in(req.fields, "content-type"))
        text += "Content-Type: " + req.media_type + "\r\n";
    const bool means_body = req.method == "POST" || req.method == "PUT" || req.method == "PATCH";
    const bool unknown_length = req.uploads && req.length == client_request::unknown_length;
    if (unknown_length && !http2) text += "Transfer-Encoding: chunked\r\n";
    else if (!unknown_length && (req.uploads || req.has_body || means_body))
        text += "Content-Length: " + std::to_string(req.uploads ? req.length : req.body.size()) + "\r\n";
    if (req.expects_continue && (req.uploads || req.has_body)) text += "Expect: 100-continue\r\n";
    return text;
}

std::string outbound::head_of(const detail::asked& req, const url& to, std::string_view codings) {
    return req.method + " " + to.target + " HTTP/1.1\r\n" + field_lines_of(req, to, codings, false) + "\r\n";
}

}  // namespace apus
