// SPDX-License-Identifier: Apache-2.0
#include "cli/modules/source_facts.hpp"

#include <doctest/doctest.h>

#include "cli/modules/graph.hpp"

#include <utility>

using namespace apus::cli;

namespace {

// Returns the facts found in `source` as text, for example "include users/a.hpp:1; GET /x of app in make_app:3".
std::string told(std::string_view source) {
    const modules::source_facts facts = modules::read_source(source);
    std::string text;
    auto add = [&](const std::string& what, std::size_t line) {
        text += (text.empty() ? "" : "; ") + what + ":" + std::to_string(line);
    };
    for (const auto& each : facts.inclusions) add("include " + each.name, each.line);
    for (const auto& each : facts.routes)
        add(each.method + " " + each.path + " of " + each.receiver + " in " + each.maker, each.line);
    for (const auto& each : facts.mounts)
        add("mount " + each.what + " at " + each.prefix + " on " + each.onto, each.line);
    return text;
}

struct sample {
    const char* source;
    const char* seen;
};

constexpr sample samples[] = {
    {"#include <a/b.hpp>\n  #  include \"c.hpp\" // x\n", "include a/b.hpp:1; include c.hpp:2"},
    {"// #include <a.hpp>\n/* #include <b.hpp>\n*/ #include <c.hpp>\n", "include c.hpp:3"},
    {"auto s = \"\\n#include <a.hpp>\";\nauto r = R\"x(\n#include <b.hpp>\n)\" )x\";\n#include <c.hpp>\n",
     "include c.hpp:5"},
    {"x #include <a.hpp>\n#include MACRO\n#include <unfinished\n#include \"b.hpp\n", ""},
    {"apus::app make_app() {\n  int n = 1'000'000; char c = '\"';\n  app.get(\"/x\", f);\n}",
     "GET /x of app in make_app:3"},
    {"app.get(\"x\", f); client.get(url); app . del ( \"/y\" , f); app.websocket(\"/s\", f);",
     "DELETE /y of app in :1; GET /s of app in :1"},
    {"app.mount(\"/k\", std::move(keys)); app.mount(\"/a\", a::make_app(x)); app.mount(part);",
     "mount keys at /k on app:1; mount a::make_app at /a on app:1; mount part at  on app:1"},
    {"app.mount(\"/k\", std::move(", "mount std::move at /k on app:1"},
    {"\xff\xfe#include <a>\n\"\\", ""},
};

modules::app_module needing(std::string name, std::vector<std::string> needs) {
    return {.name = std::move(name), .needs = std::move(needs)};
}

}  // namespace

TEST_CASE("modules: facts of a source") {
    for (const auto& [source, seen] : samples) CHECK(told(source) == seen);
}

TEST_CASE("modules: a truncated source is read") {
    for (const auto& [source, seen] : samples)
        for (std::size_t n = 0; n < std::string_view(source).size(); ++n)
            CHECK(told(std::string(source, n)).size() < 500);
}

TEST_CASE("modules: layers follow from needs, and cycles terminate") {
    CHECK(modules::layers_of({needing("a", {"b", "c"}), needing("b", {"c"}), needing("c", {}),
                              needing("d", {"gone"})}) == std::vector<std::size_t>{2, 1, 0, 0});
    CHECK(modules::layers_of({needing("a", {"b"}), needing("b", {"a"})}) == std::vector<std::size_t>{1, 0});
}
