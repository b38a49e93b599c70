// SPDX-License-Identifier: Apache-2.0
// A gateway: forwards all requests below /api to another server, and streams bodies in both directions.
#include <apus/app.hpp>
#include <apus/client.hpp>
#include <apus/stream.hpp>
#include <apus/tls.hpp>

#include <algorithm>
#include <cstdlib>

namespace {

bool same_word(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if ((a[i] | 0x20) != (b[i] | 0x20)) return false;
    return true;
}

bool lists(std::string_view list, std::string_view name) {
    while (!list.empty()) {
        std::string_view one = list.substr(0, list.find(','));
        list.remove_prefix(std::min(one.size() + 1, list.size()));
        while (one.starts_with(' ') || one.starts_with('\t')) one.remove_prefix(1);
        while (one.ends_with(' ') || one.ends_with('\t')) one.remove_suffix(1);
        if (same_word(one, name)) return true;
    }
    return false;
}

// Whether to forward a field: not connection-specific fields, nor fields that Connection names (RFC 9110, 7.6.1).
template <class Message>
bool is_passed_on(const Message& from, std::string_view name) {
    constexpr std::string_view own =
        "connection,keep-alive,proxy-connection,te,trailer,transfer-encoding,upgrade,content-length,content-type,"
        "expect,host,date";
    if (lists(own, name)) return false;
    for (std::size_t i = 0; i < from.header_count(); ++i)
        if (same_word(from.header_at(i).name, "connection") && lists(from.header_at(i).value, name)) return false;
    return true;
}

// `first`: the beginning of the body; empty if there is no body. Fields do not show whether there is one: an HTTP/2
// request may have a body without Content-Length.
apus::client_request request_for(apus::request& req, std::string_view first, const std::string& upstream) {
    // The part after "/api/". A target may begin with http:// and a host (RFC 9112, 3.2.2).
    const std::string url = upstream + std::string(req.target().substr(req.target().find("/api/") + 4));
    apus::client_request to(req.method_text(), url);
    for (std::size_t i = 0; i < req.header_count(); ++i) {
        const auto field = req.header_at(i);
        if (is_passed_on(req, field.name)) to.header(field.name, field.value);
    }
    to.redirects(0);
    if (first.empty()) return to;
    to.stream(req.header("content-type"), [&req, first](apus::client_writer& out) -> apus::task<> {
        for (std::string_view piece = first; !piece.empty();) {
            co_await out.write(piece);
            piece = co_await req.read();
        }
    });
    return to;
}

apus::task<apus::response> pass_on(apus::request& req, apus::client http, const std::string& upstream) {
    const std::string_view first = co_await req.read();
    auto asked = request_for(req, first, upstream);
    auto got = co_await http.open(std::move(asked));

    apus::response res(got.status());
    for (std::size_t i = 0; i < got.header_count(); ++i) {
        const auto field = got.header_at(i);
        if (is_passed_on(got, field.name)) res.header(field.name, field.value);
    }
    const std::string type(got.header("content-type"));
    auto back = apus::stream(type, [got = std::move(got)](apus::writer& out) mutable -> apus::task<> {
        while (true) {
            const std::string_view piece = co_await got.read();
            if (piece.empty()) break;
            co_await out.write(piece);
        }
    });
    res.produce(std::exchange(back.producer(), {}), type);
    co_return res;
}

apus::app make_app() {
    const char* named = std::getenv("UPSTREAM");
    const std::string upstream = named ? named : "http://127.0.0.1:9000";
    apus::client_options as_sent;
    as_sent.decompress = false;
    // Uses only HTTP/2: selected by ALPN for https, by prior knowledge for http.
    if (std::getenv("UPSTREAM_HTTP2")) as_sent.protocols = apus::client_protocols::http2;
    if (const char* file = std::getenv("UPSTREAM_CA")) {
        apus::client_tls_options trusted;
        trusted.authorities = file;
        as_sent.tls = apus::client_tls(trusted);
    }
    apus::client http(as_sent);

    apus::app app;
    const auto gate = [http, upstream](apus::request& req) { return pass_on(req, http, upstream); };
    app.get("/api/{path...}", [gate](apus::request& req, std::string_view) { return gate(req); });
    app.post("/api/{path...}", [gate](apus::request& req, std::string_view) { return gate(req); });
    app.put("/api/{path...}", [gate](apus::request& req, std::string_view) { return gate(req); });
    app.del("/api/{path...}", [gate](apus::request& req, std::string_view) { return gate(req); });
    return app;
}

}  // namespace

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
