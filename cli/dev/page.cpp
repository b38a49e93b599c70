// SPDX-License-Identifier: Apache-2.0
#include "cli/dev/page.hpp"

#include "base/json_string.hpp"

namespace apus::cli::dev {

namespace {

// The script sets styles on elements, since a Content-Security-Policy with `style-src` could forbid a style sheet.
constexpr std::string_view reload = R"(let seen, cover;
const looks = [
    [/^error: /, { color: "#ff8f8f", fontWeight: "bold", fontSize: "1.15em" }],
    [/^ +(at|fix): /, { color: "#b5e8a0" }],
    [/(: (fatal )?error: |^[A-Z]\w+Sanitizer|ERROR: )/, { color: "#ff8f8f" }],
    [/: warning: /, { color: "#ffd479" }],
    [/: note: /, { color: "#9fb4c7" }],
    [/^ *\d* *\| *[~^+]/, { color: "#ffd479" }],
];
function element(name, text, style) {
    const made = document.createElement(name);
    made.textContent = text;
    Object.assign(made.style, style);
    return made;
}
function show(text) {
    cover?.remove();
    cover = undefined;
    if (!text) return;
    cover = element("div", "", {
        position: "fixed", inset: "0", zIndex: "2147483647", overflow: "auto", textAlign: "left",
        background: "#1d1f21", color: "#f0f0f0", font: "14px/1.5 monospace", borderTop: "4px solid #ff5f5f",
    });
    cover.id = "apus-failure";
    const close = element("button", "Hide: Esc", {
        position: "fixed", bottom: "1rem", right: "1.5rem", font: "inherit", cursor: "pointer",
        background: "#33373b", color: "inherit", border: "0", borderRadius: "4px", padding: "0.25rem 0.75rem",
    });
    close.onclick = () => show("");
    const lines = element("pre", "", { margin: "0", padding: "1.5rem", font: "inherit", color: "inherit", background: "none" });
    for (const line of text.split("\n")) lines.append(element("span", line + "\n", looks.find(([form]) => form.test(line))?.[1]));
    cover.append(close, lines);
    document.documentElement.append(cover);
}
addEventListener("keydown", (event) => event.key === "Escape" && show(""));
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
    made.append(status)
        .append("\r\nContent-Type: ")
        .append(media_type)
        .append("\r\nContent-Length: ")
        .append(std::to_string(body.size()));
    return made.append("\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n").append(body);
}

std::string failure_response(std::string_view status, std::string_view title, std::string_view text) {
    std::string page = "<!doctype html>\n<meta charset=\"utf-8\">\n<title>" + escaped(title) + "</title>\n<h1>" +
                       escaped(title) + "</h1>\n<pre>" + escaped(text) + "</pre>\n";
    return response(status, "text/html; charset=utf-8", page.append(script_tag()));
}

std::string host_refusal(std::string_view host) {
    return response(
        "421 Misdirected Request", "text/plain; charset=utf-8",
        "`apus dev` does not serve the host `" + std::string(host.substr(0, 255)) +
            "`. It serves localhost and its subdomains, IP addresses, `dev.host` and `dev.hosts` of apus.toml.\n");
}

std::string http2_refusal() {
    constexpr std::string_view why = "apus dev supports only HTTP/1.1; `apus run` starts the program without a proxy";
    static_assert(why.size() + 8 < 256);
    constexpr char settings[] = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    // last stream 0, error HTTP_1_1_REQUIRED (13)
    constexpr char goaway[] = {0, 0, char(why.size() + 8), 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 13};
    return std::string(settings, sizeof settings).append(goaway, sizeof goaway).append(why);
}

std::string state_event(unsigned generation, std::string_view failure) {
    std::string text = "data: {\"generation\":" + std::to_string(generation) + ",\"failure\":";
    base::append_json_string(text, failure);
    return text + "}\n\n";
}

}  // namespace apus::cli::dev
