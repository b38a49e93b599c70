// SPDX-License-Identifier: Apache-2.0
#include "cli/bench/request.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <apus/detail/literal.hpp>

#include "base/ascii.hpp"
#include "cli/text/lists.hpp"
#include "cli/text/fingerprint.hpp"

namespace apus::cli::bench {

namespace {

// Fields that the load generator sets. A request must not set them.
constexpr std::array<std::string_view, 4> written_anyway{"host", "content-length", "transfer-encoding", "connection"};

std::string name_of(const std::string& header) {
    std::string name = header.substr(0, header.find(':'));
    std::ranges::transform(name, name.begin(), base::lowered);
    return name;
}

}  // namespace

recorded_request kept_of(const request& of) {
    recorded_request made{.method = of.method, .body_bytes = of.body ? of.body->size() : 0};
    if (of.status != 0) made.status = std::to_string(of.status);
    text::fingerprint all;
    all.add_whole(made.method);
    all.add_whole(made.status);
    for (const std::string& each : of.headers) {
        made.headers.push_back(name_of(each));
        all.add_whole(each);
    }
    all.add_whole(of.body ? "a body" : "none");
    all.add_whole(of.body.value_or(""));
    made.fingerprint = all.digits();
    return made;
}

std::string text_of(const recorded_request& of) {
    std::string text = of.method + " requests";
    if (of.body_bytes > 0) text += " with a body of " + text::counted(of.body_bytes, "byte");
    return of.status == "2xx" ? text : text + ", expecting status " + of.status;
}

std::optional<std::string> method_error(const std::string& method) {
    if (!apus::detail::is_token(method)) return "`" + method + "` is not an HTTP method";
    if (method == "CONNECT") return "`CONNECT` is not supported: it opens a tunnel and has no path";
    if (std::ranges::any_of(method, [](char c) { return c >= 'a' && c <= 'z'; }))
        return "`" + method + "` has lower-case letters, but methods are case-sensitive: write `GET` or `POST`";
    return std::nullopt;
}

std::optional<std::string> header_error(const std::string& header) {
    const auto colon = header.find(':');
    if (colon == header.npos || !apus::detail::is_token(std::string_view(header).substr(0, colon)))
        return "`" + header + "` is not a header; the form is `name: value`";
    const std::string name = name_of(header);
    if (std::ranges::any_of(header, [](char c) { return (c >= '\0' && c < ' ' && c != '\t') || c == 0x7f; }))
        return "the value of `" + name + "` has control characters";
    if (std::ranges::find(written_anyway, name) != written_anyway.end())
        return "`" + name + "` is set by the load generator";
    return std::nullopt;
}

bool is_named(const std::string& header, const std::string& name) { return name_of(header) == name; }

}  // namespace apus::cli::bench
