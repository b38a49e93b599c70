// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/h2/frames.hpp"

#include <apus/sleep.hpp>
#include <apus/stream.hpp>

#include <string>

namespace apus::test::h2 {

/// An app with a route for each kind of handler, and the results that the handlers observed.
struct made {
    bool go = false;
    int cancelled = 0;

    struct witness {
        int* count;
        ~witness() { ++*count; }
    };

    app make() {
        app a;
        a.get("/", [] { return "hello\n"; });
        a.get("/empty", [] { return apus::no_content(); });
        a.get("/said/{name}", [](request& in, std::string_view name) {
            apus::response res =
                apus::response::text(std::string(name) + "|" + std::string(in.query()) + "|" + std::string(in.host()) +
                                     "|" + std::string(in.header("host")) + "|" + std::string(in.header("cookie")));
            res.header("X-Mixed", "Case");
            return res;
        });
        a.get("/late", [this]() -> task<std::string> {
            witness w{&cancelled};
            while (!go) co_await apus::sleep_for(milliseconds(1));
            co_return "late\n";
        });
        a.get("/big/{size}", [](std::uint32_t size) { return std::string(size, 'b'); });
        a.get("/pieces", [] {
            return stream("text/plain", [](writer& out) -> task<> {
                for (int i = 0; i < 30; ++i) co_await out.write(std::string(10'000, 'p'));
                out.trailer("X-Sum", "42");
            });
        });
        a.get("/broken", [] {
            return stream("text/plain", [](writer& out) -> task<> {
                co_await out.write("first\n");
                co_await apus::fail(500, "the rest is missing");
            });
        });
        a.get("/echo", [] {
            return upgrade("echo", [](request& in, writer& out) -> task<> {
                for (std::string_view piece = co_await in.read(); !piece.empty(); piece = co_await in.read())
                    co_await out.write(piece);
                co_await out.write("bye");
            });
        });
        a.post("/echo", [](body_text in) { return std::string(in.bytes); });
        a.post("/read", [this](request& in) { return read(in); }, {.body = 1 << 30});
        a.post("/ignored", [] { return "not read\n"; });
        a.post("/trailers", [](request& in) -> task<std::string> {
            co_await in.body();
            co_return std::to_string(in.trailer_count()) +
                std::string(in.trailer_count() ? in.trailer_at(0).value : "");
        });
        return a;
    }
    task<std::string> read(request& in) {
        while (!go) co_await apus::sleep_for(milliseconds(1));
        co_return std::to_string((co_await in.body()).size());
    }
};

}  // namespace apus::test::h2
