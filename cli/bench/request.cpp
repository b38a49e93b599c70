// SPDX-License-Identifier: Apache-2.0
#include "cli/bench/request.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace apus::cli::bench {

namespace {

// What the load generator writes by itself.
constexpr std::array<std::string_view, 4> written_anyway{"host", "content-length", "transfer-encoding", "connection"};

// RFC 9110 section 5.6.2.
bool is_token(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos; });
}

std::string name_of(const std::string& header) {
    std::string name = header.substr(0, header.find(':'));
    std::ranges::transform(name, name.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return name;
}

// FNV-1a, which no version of a library changes.
void mix(std::uint64_t& into, std::string_view text) {
    for (const char c : text) into = (into ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    into = (into ^ 0x100) * 0x100000001b3;  // where one text ends
}

}  // namespace

request_kept kept_of(const request& of) {
    request_kept made{.method = of.method, .body_bytes = of.body ? of.body->size() : 0};
    if (of.status != 0) made.status = std::to_string(of.status);
    std::uint64_t all = 0xcbf29ce484222325;
    mix(all, made.method);
    mix(all, made.status);
    for (const std::string& each : of.headers) {
        made.headers.push_back(name_of(each));
        mix(all, each);
    }
    mix(all, of.body ? "a body" : "none");
    mix(all, of.body.value_or(""));
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016lx", static_cast<unsigned long>(all));
    made.fingerprint = digits.data();
    return made;
}

std::string text_of(const request_kept& of) {
    std::string text = of.method + " requests";
    if (of.body_bytes > 0) text += " with a body of " + std::to_string(of.body_bytes) + (of.body_bytes == 1 ? " byte" : " bytes");
    return of.status == "2xx" ? text : text + " to be answered with status " + of.status;
}

std::optional<std::string> wrong_with_method(const std::string& method) {
    if (!is_token(method)) return "`" + method + "` is no method of HTTP";
    if (method == "CONNECT") return "`CONNECT` asks for a tunnel, and not for a path";
    if (std::ranges::any_of(method, [](char c) { return c >= 'a' && c <= 'z'; })) return "`" + method + "` has small letters, which methods tell from large ones: they are as `GET` and `POST`";
    return std::nullopt;
}

std::optional<std::string> wrong_with_header(const std::string& header) {
    const auto colon = header.find(':');
    if (colon == header.npos || !is_token(std::string_view(header).substr(0, colon))) return "`" + header + "` is no header: it is not as `name: value`";
    const std::string name = name_of(header);
    if (std::ranges::any_of(header, [](char c) { return (c >= '\0' && c < ' ' && c != '\t') || c == 0x7f; })) return "the value of `" + name + "` has control characters";
    if (std::ranges::find(written_anyway, name) != written_anyway.end()) return "the load generator writes `" + name + "` by itself";
    return std::nullopt;
}

bool is_named(const std::string& header, const std::string& name) { return name_of(header) == name; }

}  // namespace apus::cli::bench
