// SPDX-License-Identifier: Apache-2.0
// Pages from the templates in pages_templates. Run it in the parent folder, or set TEMPLATES to the folder.
#include <apus/app.hpp>
#include <apus/pages.hpp>
#include <apus/security_headers.hpp>

#include <cstdlib>
#include <optional>
#include <vector>

struct work {
    int id;
    std::string name;
    bool done = false;
    std::optional<std::string> website;
};

struct work_list {
    std::string title;
    std::vector<work> tasks;
    std::string nonce;
};

apus::app make_app() {
    const char* folder = std::getenv("TEMPLATES");
    const bool develop = std::getenv("DEVELOP") != nullptr;
    const apus::pages pages(folder ? folder : "pages_templates", {.reload = develop});
    const auto list = pages.bind<work_list>("list.html");

    apus::app app;
    app.use(apus::security_headers());
    app.get("/", [list](apus::request& req) {
        return list({.title = "Mine & yours",
                     .tasks = {{1, "write <templates>", true, {}}, {2, "read", false, "https://example.com/?a=1&b=2"}},
                     .nonce = std::string(apus::csp_nonce(req))});
    });
    return app;
}

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
