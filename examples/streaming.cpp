// SPDX-License-Identifier: Apache-2.0
// Streamed bodies of any length.
#include <apus/app.hpp>
#include <apus/sleep.hpp>
#include <apus/stream.hpp>

namespace {

apus::task<> count_to_ten(apus::writer& out) {
    for (int i = 1; i <= 10; ++i) {
        co_await out.write(std::to_string(i) + "\n");
        co_await apus::sleep_for(apus::milliseconds(100));
    }
}

// The view is valid until the handler returns, so the lambda copies it. Captures live until the body has ended.
apus::response repeat(std::string_view word, unsigned times) {
    return apus::stream("text/plain", [word = std::string(word), times](apus::writer& out) -> apus::task<> {
        for (unsigned i = 0; i < times; ++i) co_await out.write(word);
        out.trailer("x-times", std::to_string(times));
    });
}

// Counts the lines of a body, which may be larger than memory.
apus::task<std::string> count_lines(apus::request& req) {
    std::uint64_t lines = 0;
    while (true) {
        const std::string_view piece = co_await req.read();
        if (piece.empty()) break;
        for (char c : piece) lines += c == '\n';
    }
    co_return std::to_string(lines) + " lines\n";
}

// Reads and writes at the same time: sends each piece back when it arrives.
apus::response mirror() {
    return apus::stream("application/octet-stream", [](apus::request& in, apus::writer& out) -> apus::task<> {
        while (true) {
            const std::string_view piece = co_await in.read();
            if (piece.empty()) break;
            co_await out.write(piece);
        }
    });
}

apus::app make_app() {
    constexpr std::uint64_t ten_gibibytes = 10'737'418'240;

    apus::app app;
    app.get("/count", [] { return apus::stream("text/plain", count_to_ten); });
    app.get("/repeat/{word}/{times}", repeat);
    app.post("/lines", count_lines, {.body = ten_gibibytes, .handler = apus::seconds(3600)});
    app.post("/mirror", mirror);
    return app;
}

}  // namespace

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
