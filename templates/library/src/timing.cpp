// SPDX-License-Identifier: Apache-2.0
#include "starter/timing.hpp"

#include <chrono>

namespace starter {

apus::task<apus::response> timing(apus::request& req, apus::next_handler next) {
    const auto begin = std::chrono::steady_clock::now();
    apus::response res = co_await next(req);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    res.header("server-timing", "app;dur=" + std::to_string(took.count()));
    co_return res;
}

}  // namespace starter
