// SPDX-License-Identifier: Apache-2.0
// A folder of files, a folder with listings, a single-page application, and a file to download.
#include <apus/files.hpp>

#include <cstdlib>

namespace {

// In a real program: "public".
const char* folder() {
    const char* named = std::getenv("FOLDER");
    return named ? named : ".";
}

apus::app make_app() {
    apus::app app;
    app.mount("/static", apus::files(folder()));
    app.mount("/app", apus::files(folder(), {.fallback = "index.html", .immutable_folder = "assets"}));
    app.mount("/downloads", apus::files(folder(), {.index = "", .list = true}));
    app.get("/readme", [](apus::request& req) {
        return apus::file_response(req, "README.md", {.download_name = "Read me first.md"});
    });
    return app;
}

}  // namespace

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
