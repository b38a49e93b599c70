// SPDX-License-Identifier: Apache-2.0
// Files uploaded with a form.
#include <apus/app.hpp>
#include <apus/form.hpp>
#include <apus/rules.hpp>
#include <apus/uploaded_file.hpp>

#include <cstdlib>

namespace {

struct picture {
    apus::text<1, 100> title;
    apus::uploaded_file image;
    std::vector<apus::uploaded_file> more;

    static constexpr apus::form_limits limits{.parts = 20, .file_bytes = 40'000'000};
};

std::string folder() {
    const char* given = std::getenv("UPLOADS");
    return given ? given : "/var/tmp";
}

apus::task<std::string> keep(apus::form<picture> in) {
    const std::string where = folder() + '/' + in->image.base_name();
    co_await in->image.save_to(where);
    std::string told =
        *in->title + ": " + in->image.base_name() + " has " + std::to_string(in->image.size()) + " bytes\n";
    for (const apus::uploaded_file& one : in->more)
        told += one.base_name() + (one.in_memory() ? " is small\n" : " is large\n");
    co_return told;
}

apus::app make_app() {
    apus::app app;
    app.get("/", [] {
        return apus::response::html(
            "<!doctype html><title>Apus</title><form method=post action=/pictures enctype=multipart/form-data>"
            "<input name=title><input type=file name=image><input type=file name=more "
            "multiple><button>Send</button></form>\n");
    });
    app.post("/pictures", keep, {.body = 100'000'000, .handler = apus::seconds(600)});
    return app;
}

}  // namespace

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
