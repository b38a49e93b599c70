// SPDX-License-Identifier: Apache-2.0
// Each file of diagnosis/cases contains several files: a faulty program, the output of real tools for it (recorded by
// record.py), and the expected explanations, expected.txt. With APUS_UPDATE in the environment, expected.txt is
// rewritten.
#include "cli/diagnosis/explanation.hpp"
#include "cli/diagnosis/pattern.hpp"
#include "cli/diagnosis/place.hpp"
#include "cli/diagnosis/rule.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;
using namespace apus::cli::diagnosis;

namespace {

const fs::path root = APUS_SOURCE_DIR;

std::string content(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> entries(const fs::path& folder) {
    std::vector<fs::path> found;
    for (const auto& each : fs::directory_iterator(folder)) found.push_back(each.path());
    std::ranges::sort(found);
    return found;
}

std::string explained(std::string_view text) {
    std::string made;
    for (const explanation& each : explain(text)) made += text_of(each);
    return made;
}

constexpr std::string_view mark = "---- ", end_of_mark = " ----\n", expected = "expected.txt";

// A file in a case.
struct part {
    std::string name, text;
    bool is_output() const { return name.ends_with(".out"); }
};

std::vector<part> parts_of(const fs::path& file) {
    std::vector<part> parts;
    std::string text = content(file);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t next = std::min(text.find('\n', at), text.size() - 1) + 1;
        const std::string_view line = std::string_view(text).substr(at, next - at);
        at = next;
        if (line.starts_with(mark) && line.ends_with(end_of_mark))
            parts.push_back(
                {std::string(line.substr(mark.size(), line.size() - mark.size() - end_of_mark.size())), {}});
        else parts.at(parts.size() - 1).text += line;
    }
    return parts;
}

void update(const fs::path& file, const std::vector<part>& parts, const std::string& seen) {
    std::ofstream out(file);
    for (const part& each : parts)
        if (each.name != expected) out << mark << each.name << end_of_mark << each.text;
    out << mark << expected << end_of_mark << seen;
}

// Returns the explanations of all recorded outputs of a case.
std::string explained_case(const std::vector<part>& parts) {
    std::string made;
    for (const part& each : parts)
        if (each.is_output()) made += "== " + each.name + "\n" + explained(each.text);
    return made;
}

// Returns a compiler's output for a file of must_fail, whose second line has the message.
std::string refusal(const fs::path& file) {
    const std::string text = content(file);
    const std::size_t begin = text.find("// error: ") + 10;
    return "program.cpp:3:4: error: static assertion failed: " + text.substr(begin, text.find('\n', begin) - begin) +
           "\n";
}

// Returns "{name=value}" for each capture of a pattern, or "no".
std::string matched(std::string_view pattern, std::string_view text) {
    const auto found = match(pattern, text);
    if (!found) return "no";
    std::string made = "yes";
    for (const auto& [name, value] : *found) made += " " + std::string(name) + "=" + std::string(value);
    return made;
}

std::string read(std::string_view line) {
    const auto found = read_place(line);
    return found ? text_of(found->at) + " " + std::string(found->rest) : "no";
}

}  // namespace

TEST_CASE("error messages of tools are explained") {
    const auto cases = entries(root / "tests/cli/diagnosis/cases");
    CHECK(cases.size() >= 160);
    for (const fs::path& file : cases) {
        CAPTURE(file.filename().string());
        const std::vector<part> parts = parts_of(file);
        REQUIRE(!parts.empty());
        const std::string seen = explained_case(parts);
        if (std::getenv("APUS_UPDATE")) update(file, parts, seen);
        CHECK(parts.back().name == expected);
        CHECK(seen == parts.back().text);
        CHECK(seen.contains("error: "));
    }
}

TEST_CASE("each rule has a case, or a static_assert of the library") {
    std::set<std::string_view> names, met;
    for (const auto table : all_rules()) {
        for (const rule& each : table) names.insert(each.name);
    }
    for (const fs::path& file : entries(root / "tests/cli/diagnosis/cases")) {
        for (const part& one : parts_of(file)) {
            if (!one.is_output()) continue;
            for (const explanation& each : explain(one.text)) met.insert(each.rule);
        }
    }
    for (const fs::path& file : entries(root / "tests/compile/must_fail")) {
        for (const explanation& each : explain(refusal(file))) met.insert(each.rule);
    }
    // Rules without a case: older systems, other sanitizer reports, and messages without a file in must_fail.
    const std::set<std::string_view> not_here = {"header-missing", "library-version", "route-rest", "sanitizer",
                                                 "schema-bases"};
    for (std::string_view name : names) {
        CAPTURE(name);
        CHECK((met.contains(name) || not_here.contains(name)));
    }
    CHECK(names.size() >= 150);
}

TEST_CASE("each static_assert of the library has advice") {
    for (const fs::path& file : entries(root / "tests/compile/must_fail")) {
        const auto made = explain(refusal(file));
        CAPTURE(file.filename().string());
        REQUIRE(made.size() == 1);
        CHECK(text_of(made[0].where) == "program.cpp:3:4");
        CHECK(!made[0].fix.empty());
    }
}

TEST_CASE("explanations have at most three lines") {
    for (const auto table : all_rules()) {
        for (const rule& each : table) {
            CAPTURE(each.name);
            CHECK(!each.what.empty());
            CHECK(!each.fix.empty());
            CHECK(!each.what.contains('\n'));
            CHECK(!each.fix.contains('\n'));
            CHECK(!each.messages[0].empty());
        }
    }
}

TEST_CASE("patterns") {
    CHECK(matched("{header}: No such file or directory", "fmt/core.h: No such file or directory") ==
          "yes header=fmt/core.h");
    CHECK(matched("'{a}' is not a member of '{b}'*", "'string' is not a member of 'std'; did you mean it?") ==
          "yes a=string b=std");
    CHECK(matched("* cannot *", "it cannot be") == "yes");
    CHECK(matched("{a}b{c}", "abbb") == "yes a=a c=bb");
    CHECK(matched("a*", "a") == "yes");
    CHECK(matched("a{b}", "a") == "no");
    CHECK(matched("ends in x", "ends in xx") == "no");
    CHECK(matched("*x", "ends in xx") == "yes");
    CHECK(matched("{open", "text") == "yes");
    CHECK(fill("{a} and {b} and {", {{"a", "one"}}) == "one and {b} and {");
}

TEST_CASE("places") {
    CHECK(read("a/b.cpp:12:3: error: x") == "a/b.cpp:12:3 error: x");
    CHECK(read("b.cpp:12: undefined") == "b.cpp:12 undefined");
    CHECK(read("from b.cpp:12,") == "from b.cpp:12 ");
    CHECK(read("b.cpp:99999999999999999999: error") == "no");
    CHECK(read("b.cpp: In function") == "no");
    CHECK(read("12:30") == "no");
    CHECK(is_users({.file = "/project/main.cpp"}));
    CHECK(!is_users({.file = "/usr/include/c++/12/vector"}));
    CHECK(!is_users({.file = "/opt/apus/include/apus/app.hpp"}));
}

TEST_CASE("escape sequences do not hide an error; long lines and many errors are harmless") {
    CHECK(explained("\x1b[01m\x1b[Kmain.cpp:2:1:\x1b[m\x1b[K \x1b[01;31m\x1b[Kerror: \x1b[m\x1b[Kunknown type name "
                    "'\x1b[01mtodo\x1b[m'\n")
              .starts_with("error: `todo` is not declared"));
    std::string many;
    for (int i = 1; i < 2000; ++i)
        many += "main.cpp:" + std::to_string(i) + ":1: error: redefinition of 'x" + std::string(3000, 'x') + "'\n";
    CHECK(explain(many).size() == 3);
    CHECK(explain(many, 1000).size() == 32);
    CHECK(explained("main.cpp:1:1: error: " + std::string(100000, '\'') + "\n").empty());
}
