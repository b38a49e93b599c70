// SPDX-License-Identifier: Apache-2.0
#include "showcase/bodies.hpp"

#include "showcase/query_number.hpp"

namespace showcase {

apus::result<apus::response> download(apus::request& req) {
    const auto mebibytes = query_number(req, "mb", {.otherwise = 10, .most = 10'000});
    if (!mebibytes) return std::unexpected(mebibytes.error());

    auto send = [pieces = *mebibytes * 16](apus::writer& out) -> apus::task<> {
        const std::string piece(64 * 1024, 'x');
        // Each write waits until the client has read most of the previous output.
        for (std::uint64_t i = 0; i < pieces; ++i) co_await out.write(piece);
    };
    apus::response res = apus::stream("application/octet-stream", send);
    res.header("content-disposition", "attachment; filename=\"x.bin\"");
    return res;
}

apus::task<std::string> upload(apus::request& req) {
    std::uint64_t bytes = 0;
    while (true) {
        const std::string_view piece = co_await req.read();
        if (piece.empty()) break;
        bytes += piece.size();
    }
    co_return std::to_string(bytes) + " bytes\n";
}

apus::task<> shout(apus::request& in, apus::writer& out) {
    while (true) {
        std::string piece(co_await in.read());
        if (piece.empty()) break;
        for (char& c : piece)
            if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
        co_await out.write(piece);
    }
}

}  // namespace showcase
