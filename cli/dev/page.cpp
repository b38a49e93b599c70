// SPDX-License-Identifier: Apache-2.0
#include "cli/dev/page.hpp"

#include "base/json_string.hpp"

namespace apus::cli::dev {

namespace {

// Styles are set by script, which a policy (CSP) with `style-src` does not forbid.
constexpr std::string_view reload = R"(let seen, cover;
function show(text) {
    cover?.remove();
    cover = undefined;
    if (!text) return;
    cover = document.createElement("pre");
    cover.id = "apus-failure";
    cover.textContent = text;
    Object.assign(cover.style, {
        position: "fixed", inset: "0", margin: "0", padding: "1.5rem", overflow: "auto", zIndex: "2147483647",
        background: "#1d1f21", color: "#f0f0f0", font: "14px/1.5 monospace", whiteSpace: "pre-wrap", textAlign: "left",
    });
    cover.onclick = () => show("");
    document.documentElement.append(cover);
}
new EventSource("/__apus/events").onmessage = (event) => {
    const state = JSON.parse(event.data);
    if (seen !== undefined && state.generation !== seen) return location.reload();
    seen = state.generation;
    show(state.failure);
};
)";

std::string escaped(std::string_view text) {
    std::string made;
    for (const char c : text) {
        if (c == '&') made += "&amp;";
        else if (c == '<') made += "&lt;";
        else made += c;
    }
    return made;
}

}  // namespace

std::string_view script_tag() { return "<script src=\"/__apus/dev.js\" defer></script>\n"; }

std::string_view script() { return reload; }

std::string response(std::string_view status, std::string_view media_type, std::string_view body) {
    std::string made("HTTP/1.1 ");
    made.append(status).append("\r\nContent-Type: ").append(media_type).append("\r\nContent-Length: ").append(std::to_string(body.size()));
    return made.append("\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n").append(body);
}

std::string failure_response(std::string_view status, std::string_view title, std::string_view text) {
    std::string page = "<!doctype html>\n<meta charset=\"utf-8\">\n<title>" + escaped(title) + "</title>\n<h1>" + escaped(title) + "</h1>\n<pre>" + escaped(text) + "</pre>\n";
    return response(status, "text/html; charset=utf-8", page.append(script_tag()));
}

std::string http2_refusal() {
    constexpr std::string_view why = "apus dev speaks HTTP/1.1; `apus run` starts the program as it is";
    static_assert(why.size() + 8 < 256);
    constexpr char settings[] = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    constexpr char goaway[] = {0, 0, char(why.size() + 8), 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 13};  // of no stream, HTTP_1_1_REQUIRED
    return std::string(settings, sizeof settings).append(goaway, sizeof goaway).append(why);
}

std::string state_event(unsigned generation, std::string_view failure) {
    std::string text = "data: {\"generation\":" + std::to_string(generation) + ",\"failure\":";
    base::append_json_string(text, failure);
    return text + "}\n\n";
}

}  // namespace apus::cli::dev
