// SPDX-License-Identifier: Apache-2.0
#include <apus/pages.hpp>

#include <apus/test.hpp>
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct greeting {
    std::string name;
    std::vector<std::string> lines;
};

// A folder of templates, removed at the end of the test.
class folder {
public:
    folder() {
        char name[] = "/tmp/apus-pages-XXXXXX";
        path_ = ::mkdtemp(name);
    }
    ~folder() { fs::remove_all(path_); }
    folder(const folder&) = delete;
    folder& operator=(const folder&) = delete;

    void write(const std::string& name, const std::string& text) const {
        fs::create_directories(fs::path(path_ + "/" + name).parent_path());
        std::ofstream(path_ + "/" + name, std::ios::binary) << text;
    }
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

apus::app greeter(const std::string& path, apus::pages_options how) {
    apus::app app;
    app.get("/{name}", [page = apus::pages(path, how).bind<greeting>("hello.html")](std::string name) {
        return page({.name = std::move(name), .lines = {"a", "b"}});
    });
    return app;
}

std::string refusal(const std::string& path) {
    try {
        greeter(path, {});
        return "none";
    } catch (const std::runtime_error& wrong) {
        return wrong.what();
    }
}

}  // namespace

TEST_CASE("a handler answers with a page") {
    const folder templates;
    templates.write("hello.html", "<p>{{name}}</p>{{include \"parts/lines.html\"}}");
    templates.write("parts/lines.html", "{{for line in lines}}{{line}};{{end}}");
    templates.write("notes.txt", "{{not a template");
    apus::test::client client(greeter(templates.path(), {}));
    const auto answer = client.get("/%3Cb%3E");
    CHECK(answer.status == 200);
    CHECK(answer.header("content-type") == "text/html; charset=utf-8");
    CHECK(answer.body == "<p>&lt;b&gt;</p>a;b;");
}

TEST_CASE("template errors prevent the start") {
    const folder templates;
    CHECK(refusal(templates.path() + "/none").find("cannot read") != std::string::npos);
    CHECK(refusal(templates.path()) == "hello.html:1: no such template");
    templates.write("hello.html", "\n{{nam}}");
    CHECK(refusal(templates.path()) ==
          "hello.html:2: \"nam\" is neither a name in scope nor a field of greeting, which has name, lines");
    templates.write("hello.html", "");
    CHECK(refusal(templates.path()) == "none");
    templates.write("other.html", "<p style=\"{{anything}}\">");
    CHECK(refusal(templates.path()).starts_with("other.html:1: values are not allowed in a style"));
    templates.write("other.html", std::string((1 << 20) + 1, 'a'));
    CHECK(refusal(templates.path()).find("larger than 1 MiB") != std::string::npos);
}

TEST_CASE("templates are reloaded on change if enabled") {
    const folder templates;
    templates.write("hello.html", "one");
    apus::test::client fixed(greeter(templates.path(), {}));
    apus::test::client fresh(greeter(templates.path(), {.reload = true}));
    struct {
        const char* text;
        int status;
        const char* shows;
    } const rows[] = {
        {"two {{name}}", 200, "two x"},
        {"\n{{nobody}}", 500, "hello.html:2: "},
        {"{{if name}}", 500, "hello.html:1: "},
        {"three", 200, "three"},
    };
    for (const auto& row : rows) {
        templates.write("hello.html", row.text);
        const auto answer = fresh.get("/x");
        CHECK(answer.status == row.status);
        CHECK(answer.body.find(row.shows) != std::string::npos);
        CHECK(fixed.get("/x").body == "one");
    }
}

TEST_CASE("a page that is too long is a 500") {
    const folder templates;
    templates.write("hello.html", "{{name}}");
    apus::test::client client(greeter(templates.path(), {.longest = 3}));
    CHECK(client.get("/abc").body == "abc");
    CHECK(client.get("/abcd").status == 500);
}
