// SPDX-License-Identifier: Apache-2.0
#include "openapi/page_files.hpp"

#include <apus/conditional.hpp>
#include <apus/openapi.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace apus {
namespace {

// All URLs are relative, so that the page works below any prefix. There are no inline scripts and styles, because the
// content security policy allows only scripts and styles from this server.
constexpr std::string_view page =
    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>API</title>\n"
    "<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"docs/renderer.css\">\n"
    "<div id=\"page\"></div>\n"
    "<script src=\"docs/renderer.js\"></script>\n<script src=\"docs/page.js\"></script>\n";

constexpr std::string_view page_script =
    "window.ui = SwaggerUIBundle({url: 'openapi.json', dom_id: '#page', deepLinking: true, validatorUrl: null,\n"
    "    tryItOutEnabled: true, presets: [SwaggerUIBundle.presets.apis], layout: 'BaseLayout'});\n";

constexpr std::string_view page_without_renderer =
    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>API</title>\n"
    "<h1>The renderer of this page is missing</h1>\n"
    "<p>When Apus was built, npm was not installed or could not reach its registry. Install npm and configure the "
    "build again. The API description is <a href=\"openapi.json\">here</a>.</p>\n";

constexpr std::string_view policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A file of the page, in static storage.
/// Responses copy the bytes of the file, which is acceptable because such requests are rare.
struct page_file {
    std::string_view bytes, media_type;
    std::string etag = etag_of(bytes);

    response operator()(request& req) const {
        const response_validators now{.etag = etag};
        if (auto unchanged = check_preconditions(req, now)) return *std::move(unchanged);
        response res;
        res.body(std::string(bytes), media_type);
        res.header("cache-control", "no-cache");
        res.header("content-security-policy", policy);
        res.header("x-content-type-options", "nosniff");
        set_validators(res, now);
        return res;
    }
};

}  // namespace

app openapi_page() {
    constexpr std::string_view html = "text/html; charset=utf-8", script = "text/javascript; charset=utf-8";
    const openapi::renderer_files renderer = openapi::renderer();
    app made;
    if (renderer.script.empty()) {
        made.get("/docs", page_file{page_without_renderer, html}).hidden();
        return made;
    }
    made.get("/docs", page_file{page, html}).hidden();
    made.get("/docs/page.js", page_file{page_script, script}).hidden();
    made.get("/docs/renderer.js", page_file{renderer.script, script}).hidden();
    made.get("/docs/renderer.css", page_file{renderer.style, "text/css; charset=utf-8"}).hidden();
    return made;
}

}  // namespace apus
