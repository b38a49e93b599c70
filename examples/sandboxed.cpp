// SPDX-License-Identifier: Apache-2.0
// A guest book that can read and write its own folder, and nothing else of the machine.
#include <apus/app.hpp>
#include <apus/blocking.hpp>

#include <cstdlib>
#include <fstream>
#include <string>

namespace {

std::string folder() {
    const char* given = std::getenv("FOLDER");
    return given ? given : "/var/tmp/guests";
}

std::string read_file(const std::string& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

void add_line(const std::string& path, const std::string& line) { std::ofstream(path, std::ios::app) << line << '\n'; }

apus::app make_app() {
    apus::app app;
    app.get("/guests", []() -> apus::task<std::string> {
        co_return co_await apus::blocking(read_file, folder() + "/guests.txt");
    });
    app.post("/guests", [](apus::body_text line) -> apus::task<> {
        co_await apus::blocking(add_line, folder() + "/guests.txt", std::string(line.bytes));
    });
    // A mistake that the sandbox makes harmless: clients choose the path.
    app.get("/files/{path...}", [](std::string path) -> apus::task<std::string> {
        std::string text = co_await apus::blocking(read_file, "/" + path);
        if (text.empty()) co_await apus::fail(404, "no such file");
        co_return text;
    });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    apus::serve_options options;
    options.sandbox.mode = apus::sandbox_mode::available;
    options.sandbox.write = {folder()};
    return apus::serve(make_app, argc, argv, options);
}
