// SPDX-License-Identifier: Apache-2.0
#include "arena/upload.hpp"

#include <cstdint>

namespace arena {
namespace {

apus::task<std::string> count(apus::request& req) {
    std::uint64_t bytes = 0;
    while (true) {
        const std::string_view piece = co_await req.read();
        if (piece.empty()) break;
        bytes += piece.size();
    }
    co_return std::to_string(bytes);
}

}  // namespace

void add_upload(apus::app& app) { app.post("/upload", count, {.body = 32 * 1024 * 1024}); }

}  // namespace arena
