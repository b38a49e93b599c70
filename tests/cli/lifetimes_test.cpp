// SPDX-License-Identifier: Apache-2.0
#include "cli/work/lifetimes.hpp"

#include <map>

#include <unistd.h>

#include <doctest/doctest.h>

#include "cli/system/files.hpp"
#include "cli/system/process.hpp"
#include "cli/text/lists.hpp"

using namespace apus::cli;

namespace {

const std::filesystem::path source_folder = APUS_SOURCE_DIR;

const std::vector<std::string> compilation{"--", "-std=c++23", "-I" + (source_folder / "include").string(),
                                           "-I" + (source_folder / "examples").string()};

// Returns the text after `mark` for each line that contains the mark, by line number.
std::map<int, std::string> marked(const std::filesystem::path& file, std::string_view mark) {
    std::map<int, std::string> lines;
    int number = 0;
    const std::string text = system::read_file(file);
    for (const std::string_view line : text::split(text, '\n'))
        if (++number; line.contains(mark)) lines[number] = line.substr(line.find(mark) + mark.size());
    return lines;
}

// Returns the findings of several sources that are checked as one.
std::string findings_of(const std::string& name, const std::vector<std::filesystem::path>& files) {
    const auto folder = std::filesystem::temp_directory_path() / ("apus-lifetimes-" + std::to_string(getpid()));
    system::make_folder(folder);
    std::vector<std::string> words{"python3", "-B", (source_folder / "tools/join_sources").string(),
                                   (folder / name).string()};
    for (const auto& file : files) words.push_back(file.string());
    const system::outcome joined = system::run({.words = words});
    std::string all = joined.error;
    for (const std::string_view file : text::split(text::trimmed(joined.out), '\n')) {
        if (file.empty()) continue;
        const std::filesystem::path path(file);  // several sources joined in one file, or a single source
        for (const auto& each : work::lifetimes_in(path.parent_path(), path.string(), compilation))
            all += work::text_of(each) + "\n";
    }
    system::remove_tree(folder);
    return all;
}

std::vector<std::filesystem::path> sources_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& each : std::filesystem::directory_iterator(source_folder / folder))
        if (each.path().extension() == ".cpp") files.push_back(each.path());
    std::ranges::sort(files);
    return files;
}

}  // namespace

TEST_CASE("lifetimes: each bad form has its finding, and only that") {
    const auto folder = source_folder / "tests/cli/lifetimes";
    auto expected = marked(folder / "bad.cpp", "// finding: ");
    CHECK(expected.size() >= 40);
    for (const auto& each : work::lifetimes_in(folder, "bad.cpp", compilation)) {
        CAPTURE(work::text_of(each));
        CHECK(each.file == "bad.cpp");
        REQUIRE(expected.contains(each.line));
        CHECK(each.what.contains(expected[each.line]));
        CHECK(!each.fix.empty());
        expected.erase(each.line);
    }
    for (const auto& [line, text] : expected) FAIL_CHECK("no finding in line ", line, ": ", text);
}

TEST_CASE("lifetimes: good forms have no finding") {
    const auto folder = source_folder / "tests/cli/lifetimes";
    for (const auto& each : work::lifetimes_in(folder, "good.cpp", compilation)) FAIL_CHECK(work::text_of(each));
}

TEST_CASE("lifetimes: a finding in two lines, and none in a line that is allowed") {
    const auto folder = std::filesystem::temp_directory_path() / ("apus-one-" + std::to_string(getpid()));
    const std::string begin =
        "#include <apus/app.hpp>\n#include <apus/sleep.hpp>\n#include <string>\nstd::string text();\n"
        "apus::task<std::size_t> one() {\n";
    const std::string end = "    co_await apus::sleep_for(apus::milliseconds(1));\n    co_return view.size();\n}\n";
    system::write_file(folder / "src/app.cpp", begin + "    std::string_view view = text();\n" + end);
    system::write_file(folder / "allowed.cpp", begin + "    std::string_view view = text();  // NOLINT\n" + end);
    const auto found = work::lifetimes_in(folder, "src/app.cpp", compilation);
    REQUIRE(found.size() == 1);
    CHECK(work::text_of(found[0]) ==
          "src/app.cpp:6: `view` is a view of a temporary that is destroyed at the end of this statement; it is used "
          "in line 8, after the co_await in line 7 [E0316]\n"
          "    fix: keep the object itself in a variable, such as std::string in place of std::string_view");
    CHECK(work::lifetimes_in(folder, "allowed.cpp", compilation).empty());
    system::write_file(folder / "broken.cpp", begin);
    CHECK_THROWS(work::lifetimes_in(folder, "broken.cpp", compilation));
    system::remove_tree(folder);
}

TEST_CASE("lifetimes: the examples have no finding") {  // for templates, see correct_code_test.py
    const std::string found = findings_of("examples", sources_in("examples"));
    CAPTURE(found);
    CHECK(found.empty());
    const auto all = std::filesystem::temp_directory_path() / ("apus-showcase-" + std::to_string(getpid()) + ".cpp");
    std::string text;
    for (const auto& file : sources_in("examples/showcase")) text += "#include \"" + file.string() + "\"\n";
    system::write_file(all, text);
    for (const auto& each : work::lifetimes_in(source_folder / "examples", all.string(), compilation))
        FAIL_CHECK(work::text_of(each));
    std::filesystem::remove(all);
}
