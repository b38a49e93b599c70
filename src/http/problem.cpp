// SPDX-License-Identifier: Apache-2.0
#include "http/problem.hpp"

#include "base/json_string.hpp"
#include "http/error_extras.hpp"

#include <string>

namespace apus::http {

namespace {

void append_member(std::string& to, std::string_view name, std::string_view text) {
    ((to += to.size() > 1 ? ",\"" : "\"") += name) += "\":";
    base::append_json_string(to, text);
}

}  // namespace

response problem(int status, std::string_view detail) { return problem(error(status, std::string(detail)).expose()); }

response problem(const error& e) {
    const detail::error_extras* more = e.extras();
    std::string text = "{";
    if (!e.type().empty()) append_member(text, "type", e.type());
    (text += text.size() > 1 ? ",\"status\":" : "\"status\":") += std::to_string(e.status());
    append_member(text, "title", e.title().empty() ? reason_phrase(e.status()) : e.title());
    if (e.is_exposed() && !e.detail().empty()) append_member(text, "detail", e.detail());
    if (more)
        for (const auto& [name, json] : more->members) {
            text += ',';
            base::append_json_string(text, name);
            (text += ':') += json;
        }
    text += "}\n";
    response res(e.status());
    res.body(std::move(text), "application/problem+json");
    if (more) res.lines(more->field_lines);
    return res;
}

response error_answer(int status, std::string_view detail) {
    return response(std::move(error(status, std::string(detail)).expose()));
}

void put_problem(response& out) noexcept {
    if (!out.refusal()) return;
    const int status = out.status();
    try {
        response made = problem(*out.refusal());
        made.lines(out.field_lines());
        out = std::move(made);
    } catch (...) {
        out.clear();
        out.status(status);
    }
}

std::string_view reason_phrase(int status) noexcept {
    switch (status) {
        case 100: return "Continue";
        case 101: return "Switching Protocols";
        case 200: return "OK";
        case 201: return "Created";
        case 202: return "Accepted";
        case 203: return "Non-Authoritative Information";
        case 204: return "No Content";
        case 205: return "Reset Content";
        case 206: return "Partial Content";
        case 300: return "Multiple Choices";
        case 301: return "Moved Permanently";
        case 302: return "Found";
        case 303: return "See Other";
        case 304: return "Not Modified";
        case 307: return "Temporary Redirect";
        case 308: return "Permanent Redirect";
        case 400: return "Bad Request";
        case 401: return "Unauthorized";
        case 402: return "Payment Required";
        case 403: return "Forbidden";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 406: return "Not Acceptable";
        case 407: return "Proxy Authentication Required";
        case 408: return "Request Timeout";
        case 409: return "Conflict";
        case 410: return "Gone";
        case 411: return "Length Required";
        case 412: return "Precondition Failed";
        case 413: return "Content Too Large";
        case 414: return "URI Too Long";
        case 415: return "Unsupported Media Type";
        case 416: return "Range Not Satisfiable";
        case 417: return "Expectation Failed";
        case 421: return "Misdirected Request";
        case 422: return "Unprocessable Content";
        case 426: return "Upgrade Required";
        case 428: return "Precondition Required";
        case 429: return "Too Many Requests";
        case 431: return "Request Header Fields Too Large";
        case 451: return "Unavailable For Legal Reasons";
        case 500: return "Internal Server Error";
        case 501: return "Not Implemented";
        case 502: return "Bad Gateway";
        case 503: return "Service Unavailable";
        case 504: return "Gateway Timeout";
        case 505: return "HTTP Version Not Supported";
        case 507: return "Insufficient Storage";
        case 511: return "Network Authentication Required";
        default: return "Unknown";
    }
}

}  // namespace apus::http
