// SPDX-License-Identifier: Apache-2.0
// Blocking work on other threads, so that the event loop stays free.
#include <apus/app.hpp>
#include <apus/blocking.hpp>

#include <fstream>
#include <sstream>

namespace {

// Blocks on the disk: only for worker threads.
apus::result<std::string> read_file(const std::string& path) {
    std::ifstream file(path);
    if (!file) return apus::fail(404, "no such file");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// The call gets a copy of the path, since the function may still run after this task is cancelled.
apus::task<std::string> host_name() {
    const std::string path = "/etc/hostname";
    co_return "this is " + co_await apus::blocking(read_file, path);
}

// `owning` asserts that the lambda owns all its captures.
apus::task<std::string> machine_name() {
    const std::string path = "/etc/hostname";
    co_return "this is " + co_await apus::blocking(apus::owning([path] { return read_file(path); }));
}

// Handles the error instead of passing it on.
apus::task<std::string> motto() {
    const apus::result<std::string> text = co_await apus::blocking([] { return read_file("/etc/motto"); }).outcome();
    co_return text ? *text : std::string("no motto\n");
}

apus::app make_app() {
    apus::app app;
    app.get("/host", host_name);
    app.get("/machine", machine_name);
    app.get("/motto", motto);
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    apus::serve_options options;
    options.blocking = {.threads = 8, .queue = 100};
    return apus::serve(make_app, argc, argv, options);
}
