// SPDX-License-Identifier: Apache-2.0
#include "server/debug_endpoints.hpp"

#include "codec/http1/host.hpp"
#include "http/origin.hpp"
#include "server/debug_page_files.hpp"

#include <apus/negotiation.hpp>

#include <iterator>
#include <string>

namespace apus::server {
namespace {

task<response> answer_requests(request_board& board, request& req) {
    constexpr std::string_view types[] = {"text/plain", "application/json"};
    response made;
    // A client that accepts neither format gets text.
    const bool json = detail::choose_type(req, types, std::size(types), made) == 1;
    made = response();
    made.body(co_await board.report(json), json ? "application/json" : "text/plain; charset=utf-8");
    made.header("cache-control", "no-store");
    made.header("x-content-type-options", "nosniff");
    detail::vary_by_accept(made);
    co_return made;
}

// A file of the page. Responses copy the bytes, which is acceptable because such requests are rare.
response page_file(std::string_view bytes, std::string_view type) {
    response made;
    made.body(std::string(bytes), type);
    made.header("cache-control", "no-store");
    made.header("content-security-policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; "
                "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    made.header("x-content-type-options", "nosniff");
    return made;
}

}  // namespace

result<void> require_local_host(request& req) {
    if (codec::http1::is_local_host(codec::http1::without_port(http::requested_host(req)))) return {};
    return fail(421, "use the IP address of the administration, or localhost, as the host of the URL");
}

app debug_endpoints(request_board& board) {
    app made;
    made.get("/debug/requests", [&board](request& req) { return answer_requests(board, req); });
    made.get("/debug", [] { return page_file(debug_page_html, "text/html; charset=utf-8"); });
    made.get("/debug/page.css", [] { return page_file(debug_page_css, "text/css; charset=utf-8"); });
    made.get("/debug/page.js", [] { return page_file(debug_page_script, "text/javascript; charset=utf-8"); });
    return made;
}

}  // namespace apus::server
