// SPDX-License-Identifier: Apache-2.0
#include "markup/compiler.hpp"

#include "markup/model.hpp"

#include <doctest/doctest.h>

using namespace apus::markup;

namespace {

constexpr struct {
    const char* page;
    const char* sends;
} pages[] = {
    {"", ""},
    {"{{v}}", "a&lt;b"},
    {"{{ v }}{{! a comment, with \" and <p> }}", "a&lt;b"},
    {"{{\"{{\"}} {{\"<\"}}", "{{ &lt;"},
    {"{{n}} {{half}} {{yes}} {{no}} {{paint}}", "-5 0.5 true false green"},
    {"{{html}}", "<b>bold</b>"},
    {"{{owner.name}}{{nobody.name}}", "Ada"},
    {"{{if yes}}y{{end}}{{if no}}n{{end}}", "y"},
    {"{{if not yes}}y{{else}}n{{end}}", "n"},
    {"{{if no}}1{{else if nobody}}2{{else if owner}}3{{else}}4{{end}}", "3"},
    {"{{if empty}}1{{end}}{{if items}}2{{end}}{{if n}}3{{end}}{{if v}}4{{end}}", "234"},
    {"{{for i in items}}{{loop.index}}{{if loop.first}}f{{end}}{{if loop.last}}l{{end}}={{i.name}};{{end}}",
     "1f=one;2l=two &amp; a half;"},
    {"{{for i in items}}{{for t in i.tags}}{{i.name}}.{{t}} {{else}}none{{end}}{{end}}", "one.x one.y none"},
    {"{{for e in empty}}x{{else}}nothing{{end}}", "nothing"},
    {"{{for t in owner.tags}}x{{else}}nothing{{end}}", "nothing"},
    {"{{for t in nobody.tags}}x{{else}}nothing{{end}}", "nothing"},
    {"{{for i in items}}{{i.note}},{{end}}", "first,,"},
    {"<ul>\n  {{for i in items}}\n  <li>{{i.name}}\n  {{end}}\n</ul>\n",
     "<ul>\n  <li>one\n  <li>two &amp; a half\n</ul>\n"},
    {"{{if yes}}\r\na\r\n{{end}}\r\n", "a\r\n"},
    {"a\n{{! gone }}\nb", "a\nb"},
    {"a {{if yes}} b\n", "page.html:1: this \"if\" has no {{end}}"},
    {"<input{{if yes}} checked{{end}}>", "<input checked>"},
    {"<input {{if no}}checked{{end}} name=\"{{v}}\">", "<input  name=\"a&lt;b\">"},
    {"<p class=\"a{{if yes}} b{{end}}\">", "<p class=\"a b\">"},
    {"{{if yes}}<b>{{else}}<i>{{end}}{{v}}", "<b>a&lt;b"},
    {"<a href=\"{{for i in items}}{{i.name}}{{end}}\">", "<a href=\"onetwo%20%26%20a%20half\">"},
    {"<p{{for i in items}} data-a{{end}}>", "<p data-a data-a>"},
    {"<script>f({{n}}, {{half}}, {{yes}}, {{v}}, {{nobody}}, {{paint}})</script>",
     "<script>f( -5,  0.5,  true, \"a\\u003Cb\",  null, \"green\")</script>"},
    {"<script>f(-{{n}})</script>", "<script>f(- -5)</script>"},
    {"<script>f({{counts}})</script>", "<script>f({\"a\": 1,\"b\\u003C\": 2})</script>"},
    {"<script>f({{items}})</script>",
     "<script>f([{\"name\":\"one\",\"done\": true,\"note\":\"first\",\"tags\":[\"x\",\"y\"]},{\"name\":\"two "
     "\\u0026 a half\",\"done\": false,\"note\": null,\"tags\":[]}])</script>"},
    {"{{include \"row.html\" i=owner label=\"x<\"}}", "Ada x&lt; a&lt;b"},
    {"{{for i in items}}{{include \"name.html\" who=i}},{{end}}", "one,two &amp; a half,"},
    {"<p title=\"{{include \"name.html\" who=owner}}\">", "<p title=\"Ada\">"},
    {"<a href=\"{{include \"value.html\"}}\">", "<a href=\"a%3Cb\">"},
    {"{{layout \"base.html\"}}\n{{block body}}{{v}}{{end}}\n", "<title>plain</title>[a&lt;b]"},
    {"{{layout \"base.html\"}}{{block title}}T{{end}}{{block body}}B{{end}}", "<title>T</title>[B]"},
    {"{{layout \"inner.html\"}}{{block content}}{{owner.name}}{{end}}", "<title>plain</title>[<main>Ada</main>]"},
};

}  // namespace

TEST_CASE("output of templates") {
    for (const auto& row : pages) {
        INFO("template: ", std::string(row.page));
        CHECK(sent(row.page, sample(),
                   {{"row.html", "{{i.name}} {{label}} {{v}}"},
                    {"name.html", "{{who.name}}"},
                    {"value.html", "{{v}}"},
                    {"base.html", "<title>{{block title}}plain{{end}}</title>[{{block body}}{{end}}]"},
                    {"inner.html",
                     "{{layout \"base.html\"}}{{block body}}<main>{{block content}}{{end}}</main>{{end}}"}}) ==
              row.sends);
    }
}

TEST_CASE("errors in a template have a position") {
    struct {
        const char* page;
        const char* says;
    } const rows[] = {
#include "markup/faults.inc"
    };
    for (const auto& row : rows) {
        INFO("template: ", std::string(row.page));
        const std::string said = sent(row.page, sample(),
                                      {{"self.html", "{{include \"self.html\"}}"},
                                       {"base.html", "{{block body}}{{end}}"},
                                       {"wrong.html", "\n\n{{nothing}}"},
                                       {"round.html", "{{layout \"round.html\"}}"}});
        CAPTURE(said);
        CHECK(said.find(row.says) != said.npos);
    }
}

TEST_CASE("limits of a page") {
    CHECK(sent("{{v}}", sample("12345"), {}, 5) == "12345");
    CHECK(sent("{{v}}", sample("123456"), {}, 5) == "too long");
    std::string deep;
    for (int i = 0; i < 33; ++i) deep += "{{if yes}}";
    CHECK(sent(deep, sample()).find("more than 32 tags are open") != std::string::npos);
    CHECK(sent(std::string(longest_file + 1, 'a'), sample()).find("larger than 1 MiB") != std::string::npos);

    // Each file includes the next one twenty times. The compiler must not create a page of 20^6 parts.
    std::string twenty;
    for (int i = 0; i < 20; ++i) twenty += "{{include \"NEXT\"}}";
    const auto to = [&](const char* next) {
        std::string text = twenty;
        for (std::size_t at; (at = text.find("NEXT")) != text.npos;) text.replace(at, 4, next);
        return text;
    };
    const std::string b = to("c.html"), c = to("d.html"), d = to("e.html"), e = to("f.html");
    CHECK(sent(to("b.html"), sample(),
               {{"b.html", b.c_str()},
                {"c.html", c.c_str()},
                {"d.html", d.c_str()},
                {"e.html", e.c_str()},
                {"f.html", "{{v}}"}})
              .find("too large") != std::string::npos);

    // Nested loops whose bodies must be compiled twice at each level.
    std::string loops = "<p";
    for (int i = 0; i < 30; ++i) loops += "{{for i in items}}";
    loops += " a";
    for (int i = 0; i < 30; ++i) loops += "{{end}}";
    CHECK(sent(loops + ">", sample(), {}, 100) == "too long");
}
