// SPDX-License-Identifier: Apache-2.0
#include "cli/diagnosis/report_starts.hpp"

#include "cli/diagnosis/pattern.hpp"
#include "cli/diagnosis/rule.hpp"

#include <algorithm>
#include <array>

namespace apus::cli::diagnosis {
namespace {

report_start made(origin from, std::string_view message, place at = {}) {
    return {.first = {.from = from,
                      .message = std::string(message),
                      .at = std::move(at),
                      .users = {},
                      .lines = {},
                      .details = {}}};
}

std::optional<report_start> sanitizer_report(std::string_view line) {
    if (const auto found = match("*ERROR: {who}Sanitizer: {what}", line))
        return made(origin::sanitizer, line.substr(line.find("ERROR: ") + 7));
    if (const auto found = match("WARNING: ThreadSanitizer: {what}", line))
        return made(origin::sanitizer, line.substr(9));
    return std::nullopt;
}

// Parses the text after "CMake Error at ": "file:12 (command):".
place cmake_place(std::string_view text) {
    auto found = match("{file}:{line} ({command})*", text);
    if (!found) found = match("{file}:{line}:", text);  // syntax errors in a CMakeLists.txt have no command
    if (!found) return {};
    const std::string with_colon = std::string(find(*found, "file")) + ":" + std::string(find(*found, "line")) + ":";
    const auto read = read_place(with_colon);
    return read ? read->at : place{};
}

std::optional<report_start> cmake_report(std::string_view line) {
    constexpr std::string_view at = "CMake Error at ", in = "CMake Error in ", any = "CMake Error: ";
    if (line.starts_with(at)) return made(origin::cmake, "", cmake_place(line.substr(at.size())));
    if (line.starts_with(in))
        return made(origin::cmake, "",
                    {.file = std::string(line.substr(in.size(), line.find_last_not_of(':') + 1 - in.size()))});
    if (line.starts_with(any)) return made(origin::cmake, line.substr(any.size()));
    if (line.starts_with("CMake Warning") || line.starts_with("CMake Deprecation")) {
        auto warning = made(origin::cmake, "");
        warning.is_error = false;
        return warning;
    }
    return std::nullopt;
}

// Returns a place without a line if the file is a source file, otherwise an empty place. For example, an object file of
// the C library refers to `main`.
place source_place(std::string_view file) {
    if (file.contains('(') || file.ends_with(".o") || file.ends_with(".a")) return {};
    return {.file = std::string(file)};
}

// Parses the position before an ld message: "main.o:main.cpp:(.text+0x5)", "main.cpp:5", "/usr/bin/ld: main.o".
place linker_place(std::string_view before) {
    if (const std::size_t ld = before.find("ld: "); ld != before.npos) before.remove_prefix(ld + 4);
    if (const auto read = read_place(std::string(before) + ":")) return read->at;
    before = before.substr(0, before.find(":("));
    const std::size_t colon = before.find_last_of(':');
    return source_place(colon == before.npos ? before : before.substr(colon + 1));
}

std::optional<report_start> linker_report(std::string_view line) {
    constexpr std::array<std::string_view, 4> names = {
        "ld.lld: error: ", "mold: error: ", "mold: fatal: ", "ld: error: "};
    for (std::string_view name : names) {
        if (line.starts_with(name)) return made(origin::linker, line.substr(name.size()));
    }
    constexpr std::array<std::string_view, 4> messages = {": undefined reference to '", ": multiple definition of '",
                                                          ": cannot find -l", ": DSO missing from command line"};
    for (std::string_view message : messages) {
        const std::size_t found = line.find(message);
        if (found == line.npos) continue;
        place at = message.ends_with('\'') ? linker_place(line.substr(0, found)) : place{};
        if (!message.ends_with('\'') && !line.contains("ld: ")) continue;
        return made(origin::linker, line.substr(found + 2), std::move(at));
    }
    return std::nullopt;
}

std::optional<report_start> compiler_report(std::string_view line) {
    const auto found = read_place(line);
    if (!found) return std::nullopt;
    constexpr std::array<std::string_view, 3> errors = {"error: ", "fatal error: ", "internal compiler error: "};
    for (std::string_view name : errors) {
        if (!found->rest.starts_with(name)) continue;
        const bool is_internal_error = name.starts_with("internal");
        return made(origin::compiler, is_internal_error ? found->rest : found->rest.substr(name.size()), found->at);
    }
    if (found->rest.starts_with("runtime error: "))
        return made(origin::sanitizer, "UBSan: " + std::string(found->rest.substr(15)), found->at);
    if (found->rest.starts_with("warning: ")) {
        auto warning = made(origin::compiler, found->rest, found->at);
        warning.is_error = false;
        return warning;
    }
    return std::nullopt;
}

std::optional<report_start> tool_report(std::string_view line) {
    for (std::string_view mark : {"error: ", "fatal error: "}) {
        if (line.starts_with(mark)) return made(origin::tool, line.substr(mark.size()));
    }
    for (std::string_view mark : {": error: ", ": fatal error: ", ": fatal: ", ": internal compiler error: "}) {
        const std::size_t at = line.find(mark);
        if (at == line.npos || at == 0 || line.substr(0, at).find_first_of(" :\"'") != line.npos) continue;
        return made(origin::tool, line.substr(mark.starts_with(": internal") ? at + 2 : at + mark.size()));
    }
    return std::nullopt;
}

bool is_known_line(std::string_view line) {
    return std::ranges::any_of(run_rules(), [&](const rule& each) {
        return each.from == origin::line && std::ranges::any_of(each.messages, [&](std::string_view pattern) {
                   return !pattern.empty() && match(pattern, line);
               });
    });
}

}  // namespace

std::optional<report_start> find_report_start(std::string_view line) {
    for (const auto try_one : {sanitizer_report, cmake_report, linker_report, compiler_report, tool_report}) {
        if (auto begun = try_one(line)) return begun;
    }
    if (is_known_line(line)) return made(origin::line, line);
    return std::nullopt;
}

void add_cmake_line(report& to, std::string_view line) {
    if (line.empty() || line.starts_with("Call Stack")) return;
    const place called = cmake_place(line);
    if (!called.file.empty()) {
        if (!is_users(to.at) && is_users(called)) to.at = called;
    } else if (to.message.size() < 2000) {
        if (!to.message.empty()) to.message += ' ';
        to.message += line;
    }
}

void add_linker_line(report& to, std::string_view line) {
    if (!to.at.file.empty()) return;
    auto found = match(">>> referenced by {name} ({place})", line);
    if (!found) found = match(">>> referenced by {place}", line);
    if (!found) found = match(">>> defined at {place} (*", line);
    if (!found) return;
    const std::string where(find(*found, "place"));
    const auto read = read_place(where + ":");
    to.at = read ? read->at : source_place(where);
}

}  // namespace apus::cli::diagnosis
