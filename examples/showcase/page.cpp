// SPDX-License-Identifier: Apache-2.0
#include "showcase/page.hpp"

#include <string>
#include <utility>

namespace showcase {
namespace {

struct entry {
    const char* route;
    const char* what;
    const char* before_url;  // options of the command that tries the route
    const char* target;      // the route's path and query
};

constexpr entry entries[] = {
    {"GET /bench", "A literal text, sent without a copy, a coroutine or an allocation.", "curl -i", "/bench"},
    {"GET /json", "A small JSON object.", "curl", "/json"},
    {"GET /users/{id}", "A typed path value. <code>/users/x</code> gets a 400 with the reason.", "curl", "/users/7"},
    {"POST /echo", "The whole body as a parameter of the handler.", "curl -d 'hello'", "/echo"},
    {"POST /notes", "A struct as JSON, with rules in its types. An invalid one gets a 422 that lists all violations.",
     "curl -H 'Content-Type: application/json' -d '{\"title\":\"Milk\",\"tags\":[\"shop\"]}'", "/notes"},
    {"GET /notes", "A query as a struct, and a list as JSON.", "curl", "/notes?tag=shop&limit=5"},
    {"GET /docs", "A page that shows the API description, and sends requests.", "curl", "/docs"},
    {"GET /openapi.json", "The API description of these routes, derived from their types.", "curl", "/openapi.json"},
    {"GET /download", "A body written piece by piece, as fast as the client reads it.", "curl -o x.bin",
     "/download?mb=50"},
    {"POST /upload", "A body read piece by piece, up to 1 GiB: its bytes are counted, but not stored.",
     "head -c 50000000 /dev/zero | curl -T - -X POST", "/upload"},
    {"GET /upgrade", "A connection that changes its protocol: after the 101, text is sent back in capital letters.",
     "curl -i -N --max-time 2 -H 'Connection: Upgrade' -H 'Upgrade: shout'", "/upgrade"},
    {"GET /slow", "A coroutine that waits, and middleware that reports the duration in <code>server-timing</code>.",
     "curl -i", "/slow?ms=1500"},
    {"GET /blocking", "A long computation on a worker thread.", "curl", "/blocking?below=500000"},
    {"GET /error", "A handler that fails: errors are problem documents (RFC 9457).", "curl -i", "/error"},
    {"GET /crash", "A handler that throws: a 500 without details, which are in the log.", "curl -i", "/crash"},
    {"GET /admin/visits",
     "An app mounted behind a token. Start the server with <code>ADMIN_TOKEN=secret</code> to open it.",
     "curl -H 'Authorization: Bearer secret'", "/admin/visits"},
};

constexpr const char* top = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Apus: the showcase</title>
<style>
  :root { --edge: #d5d9e0; --soft: #f3f5f8; --quiet: #566070; --link: #0b5cad; }
  @media (prefers-color-scheme: dark) {
    :root { --edge: #3a404a; --soft: #1d2127; --quiet: #a4aebc; --link: #7cb8ff; }
  }
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
  h1 { font-size: 1.6rem; margin: 0; }
  h2 { font: 600 1rem/1.5 ui-monospace, monospace; margin: 0; }
  p { margin: .25rem 0 .5rem; color: var(--quiet); }
  a { color: var(--link); }
  section { border-top: 1px solid var(--edge); padding: 1rem 0; }
  pre { background: var(--soft); border: 1px solid var(--edge); border-radius: .4rem; margin: 0; padding: .6rem .8rem; white-space: pre-wrap; overflow-wrap: anywhere; }
</style>
<h1>Apus</h1>
<p>This server runs. Each route below shows one thing, and has a command to try it.</p>
)";

// Text from clients must not become markup.
std::string escaped(std::string_view text) {
    std::string out;
    for (char c : text) {
        if (c == '<') out += "&lt;";
        else if (c == '>') out += "&gt;";
        else if (c == '&') out += "&amp;";
        else if (c == '"') out += "&quot;";
        else if (c == '\'') out += "&#39;";
        else out += c;
    }
    return out;
}

// GET routes are links, except the one that a browser cannot use.
std::string heading(const entry& e) {
    const std::string_view route = e.route;
    if (!route.starts_with("GET ") || route == "GET /upgrade") return std::string("<h2>") + e.route + "</h2>\n";
    return std::string("<h2><a href=\"") + e.target + "\">" + e.route + "</a></h2>\n";
}

std::string command(const entry& e, std::string_view host) {
    // Quoted, since shells interpret `?` as a pattern.
    return std::string(e.before_url) + " 'http://" + std::string(host) + e.target + "'";
}

}  // namespace

apus::response page(apus::request& req) {
    const std::string_view host = req.host().empty() ? "127.0.0.1:8080" : req.host();
    std::string html = top;
    for (const entry& e : entries) {
        html += "<section>\n" + heading(e);
        html += std::string("<p>") + e.what + "</p>\n";
        html += "<pre><code>" + escaped(command(e, host)) + "</code></pre>\n</section>\n";
    }
    apus::response res;
    res.body(std::move(html), "text/html; charset=utf-8");
    res.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'");
    return res;
}

}  // namespace showcase
