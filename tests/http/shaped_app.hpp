// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>
#include <apus/sleep.hpp>
#include <apus/stream.hpp>

#include <string>

namespace apus::test {

/// An app whose error handlers respond with "outer STATUS PATH" or "inner STATUS PATH".
/// `inner` is at /in.
inline app shaped_app() {
    const auto form = [](std::string name) {
        return [name](request& req, const error& why) {
            return response::text(name + ' ' + std::to_string(why.status()) + ' ' + std::string(req.path()) +
                                  std::string(req.query()) + std::string(req.host()) + std::to_string(req.captures()) +
                                  '\n');
        };
    };
    app inner;
    inner.on_error(form("inner"));
    inner.post("/echo", [](body_text in) { return std::string(in.bytes); }, {.body = 10});
    inner.get("/late", []() -> task<> {
        co_await apus::sleep_for(milliseconds(1));
        co_await fail(409, "late");
    });
    inner.get("/never", []() -> task<> { co_await apus::sleep_for(seconds(3600)); }, {.handler = milliseconds(20)});
    inner.get("/invalid", [] { return response(99); });
    inner.get("/upgrade",
              [] { return upgrade("echo", [](request&, writer& out) -> task<> { co_await out.write("bye"); }); });
    inner.get("/pieces", [] {
        return stream("text/plain", [](writer& out) -> task<> {
            co_await out.write("one ");
            co_await apus::sleep_for(milliseconds(1));
            co_await out.write("two\n");
        });
    });
    app outer;
    outer.on_error(form("outer"));
    outer.mount("/in", std::move(inner));
    return outer;
}

}  // namespace apus::test
