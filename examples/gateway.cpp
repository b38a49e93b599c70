// SPDX-License-Identifier: Apache-2.0
// A gateway: everything under /api goes to another server, bodies streamed both ways, and back.
#include <apus/app.hpp>
#include <apus/client.hpp>
#include <apus/stream.hpp>

#include <cstdlib>

namespace {

// What concerns one connection only is not passed on (RFC 9110, 7.6.1). The client and the server
// set the framing themselves.
bool is_passed_on(std::string_view name) {
    for (std::string_view own : {"connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
                                 "content-length", "content-type", "expect", "host", "date"}) {
        if (name.size() != own.size()) continue;
        bool same = true;
        for (std::size_t i = 0; i < name.size(); ++i) same = same && (name[i] | 0x20) == own[i];
        if (same) return false;
    }
    return true;
}

apus::client_request request_for(apus::request& req, const std::string& upstream) {
    std::string url = upstream + "/" + std::string(req.target().substr(5));  // without "/api/"
    apus::client_request to(req.verb_text(), url);
    for (std::size_t i = 0; i < req.header_count(); ++i) {
        const auto field = req.header_at(i);
        if (is_passed_on(field.name)) to.header(field.name, field.value);
    }
    to.redirects(0);
    const bool has_body = !req.header("content-length").empty() || !req.header("transfer-encoding").empty();
    if (has_body) {
        to.stream(req.header("content-type"), [&req](apus::client_writer& out) -> apus::task<> {
            while (true) {
                const std::string_view piece = co_await req.read();
                if (piece.empty()) break;
                co_await out.write(piece);
            }
        });
    }
    return to;
}

apus::task<apus::response> pass_on(apus::request& req, apus::client http, const std::string& upstream) {
    auto asked = request_for(req, upstream);
    auto got = co_await http.open(std::move(asked));

    apus::response res(got.status());
    for (std::size_t i = 0; i < got.header_count(); ++i) {
        const auto field = got.header_at(i);
        if (is_passed_on(field.name)) res.header(field.name, field.value);
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
    apus::client http;

    apus::app app;
    const auto gate = [http, upstream](apus::request& req) { return pass_on(req, http, upstream); };
    app.get("/api/{path...}", [gate](apus::request& req, std::string_view) { return gate(req); });
    app.post("/api/{path...}", [gate](apus::request& req, std::string_view) { return gate(req); });
    app.put("/api/{path...}", [gate](apus::request& req, std::string_view) { return gate(req); });
    app.del("/api/{path...}", [gate](apus::request& req, std::string_view) { return gate(req); });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    return apus::serve(make_app, argc, argv);
}
