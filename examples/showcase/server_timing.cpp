// SPDX-License-Identifier: Apache-2.0
#include "showcase/server_timing.hpp"

#include <chrono>
#include <cstdio>

namespace showcase {

apus::task<apus::response> server_timing(apus::request& req, apus::next_handler next) {
    const auto begin = std::chrono::steady_clock::now();
    apus::response res = co_await next(req);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    char text[48];
    std::snprintf(text, sizeof text, "app;dur=%.3f", took.count());
    res.header("server-timing", text);
    co_return res;
}

}  // namespace showcase
