// SPDX-License-Identifier: Apache-2.0
#include "cli/work/coverage.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "cli/system/files.hpp"
#include "cli/system/process.hpp"
#include "cli/text/lists.hpp"
#include "cli/work/compiler_programs.hpp"

namespace apus::cli::work {

namespace {

namespace fs = std::filesystem;

bool counts(const fs::path& file) {
    const std::string name = "/" + file.string();
    return name != "/" && !name.starts_with("/..") && !name.starts_with("/build/") && !name.contains("/tests/");
}

// Collects uncovered lines as ranges. A range includes lines without code between uncovered lines.
class missed_lines {
public:
    void ran() { close(); }
    void did_not_run(long line) {
        if (first_ == 0) first_ = line;
        last_ = line;
    }
    std::string text() {
        close();
        return std::move(text_);
    }

private:
    void close() {
        if (first_ == 0) return;
        text_ +=
            (text_.empty() ? "" : ", ") + std::to_string(first_) + (last_ == first_ ? "" : "-" + std::to_string(last_));
        first_ = 0;
    }

    long first_ = 0, last_ = 0;
    std::string text_{};
};

std::string percent(long part, long all) {
    const long tenths = all ? part * 1000 / all : 1000;
    const std::string text = std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
    return std::string(text.size() < 7 ? 7 - text.size() : 0, ' ') + text;
}

std::vector<std::string> test_programs(const manifest::manifest& project, const fs::path& folder) {
    std::vector<std::string> found{(folder / (project.project.name + "_tests")).string()};
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder / "modules", none))
        if (entry.path().filename().string().ends_with("_test")) found.push_back(entry.path().string());
    std::erase_if(found, [](const std::string& program) { return !fs::exists(program); });
    std::ranges::sort(found);
    return found;
}

// Returns the program of the compiler's version; other versions cannot read the compiler's profiles. Throws E0107.
std::string of_compiler(const fs::path& folder, std::string_view name) {
    const compiler_program found = program_of_compiler(folder, name);
    if (found.path.empty()) throw system::no_program(found.name);
    return found.path;
}

std::string output_of(const std::vector<std::string>& words, const fs::path& folder) {
    system::outcome ended = system::run({.words = words, .folder = folder});
    if (!ended.ok())
        throw errors::failure("E0106", "`" + words.front() + "` cannot read the coverage data: " +
                                           ended.error.substr(0, ended.error.find('\n')));
    return std::move(ended.out);
}

}  // namespace

std::vector<covered_file> read_lcov(std::string_view text, const fs::path& project) {
    std::vector<covered_file> files;
    covered_file one;
    missed_lines missed;
    for (const std::string_view line : text::split(text, '\n')) {
        if (line.starts_with("SF:"))
            one = {.file = fs::path(line.substr(3)).lexically_relative(project).string()}, missed = {};
        if (line == "end_of_record" && counts(one.file)) one.missed = missed.text(), files.push_back(one);
        long number = 0, count = 0;
        const std::size_t comma = line.find(',');
        if (!line.starts_with("DA:") || comma == line.npos) continue;
        std::from_chars(line.data() + 3, line.data() + comma, number);
        std::from_chars(line.data() + comma + 1, line.data() + line.size(), count);
        ++one.lines, one.ran += count > 0;
        if (count > 0) missed.ran();
        else missed.did_not_run(number);
    }
    std::ranges::sort(files, {}, &covered_file::file);
    return files;
}

std::string text_of(const std::vector<covered_file>& files) {
    long lines = 0, ran = 0;
    std::string text;
    for (const covered_file& each : files) {
        lines += each.lines, ran += each.ran;
        text += percent(each.ran, each.lines) + "  " + each.file + (each.missed.empty() ? "" : ": not " + each.missed) +
                "\n";
    }
    return text + percent(ran, lines) + "  of " + std::to_string(lines) + " lines\n";
}

void report_coverage(const manifest::manifest& project, const fs::path& folder, terminal::shell& shell) {
    std::vector<std::string> merge{of_compiler(folder, "llvm-profdata"), "merge", "-sparse", "-o", "all.profdata"};
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder / "profiles", none)) merge.push_back(entry.path().string());
    output_of(merge, folder);
    std::vector<std::string> show{of_compiler(folder, "llvm-cov"), "export", "-format=lcov",
                                  "-instr-profile=all.profdata"};
    const std::vector<std::string> programs = test_programs(project, folder);
    for (std::size_t i = 0; i < programs.size(); ++i) {
        if (i) show.emplace_back("-object");
        show.push_back(programs[i]);
    }
    const std::string counted = output_of(show, folder);
    system::replace_file(folder / "coverage.info", counted);
    shell.print(text_of(read_lcov(counted, project.folder)));
}

}  // namespace apus::cli::work
