// SPDX-License-Identifier: Apache-2.0
#include "cli/crash/report.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <memory>

#include <cxxabi.h>

#include "cli/errors/failure.hpp"
#include "codec/crash/report.hpp"

namespace apus::cli::crash {
namespace {

using codec::crash::unescaped;

constexpr std::size_t max_lines = 10'000, max_frames = 256, max_requests = 1024;

struct meaning_of_signal {
    std::string_view name, text;
};
constexpr meaning_of_signal meanings[] = {{"SIGSEGV", "invalid memory access"},
                                          {"SIGBUS", "memory access error, such as a truncated mapped file"},
                                          {"SIGFPE", "arithmetic error, such as a division by zero"},
                                          {"SIGILL", "invalid instruction"},
                                          {"SIGABRT", "abort, such as a failed assertion or an uncaught exception"},
                                          {"SIGSYS", "system call refused by the sandbox"}};

[[noreturn]] void invalid(std::size_t line, const char* why) {
    throw errors::failure("E0319", "invalid crash report: line " + std::to_string(line) + " " + why,
                          "the option `--crash-folder` of a server writes crash reports");
}

const char* text_of(codec::crash::flaw f) {
    using codec::crash::flaw;
    switch (f) {
        case flaw::too_long: return "is too long";
        case flaw::too_many_fields: return "has too many fields";
        case flaw::unprintable: return "has an unescaped control character";
        case flaw::no_key: break;
    }
    return "has no key";
}

std::string* text_with_key(report& r, std::string_view key) {
    const std::pair<std::string_view, std::string*> texts[] = {
        {"signal", &r.signal}, {"address", &r.address}, {"system_call", &r.system_call}, {"process", &r.process},
        {"thread", &r.thread}, {"program", &r.program}, {"build_id", &r.build_id},       {"apus", &r.version}};
    const auto found = std::ranges::find(texts, key, [](const auto& t) { return t.first; });
    return found == std::end(texts) ? nullptr : found->second;
}

// Ignores unknown keys, which later versions may add.
void add(report& to, const codec::crash::line& line) {
    const auto field = [&](std::size_t i) { return unescaped(line.fields[i]); };
    if (auto* const text = text_with_key(to, line.key)) {
        *text = field(0);
    } else if (line.key == "time") {
        std::from_chars(line.fields[0].data(), line.fields[0].data() + line.fields[0].size(), to.time);
    } else if (line.key == "exception") {
        to.exception = field(0);
        to.exception_text = field(1);
    } else if (line.key == "request") {
        if (to.requests.size() < max_requests) to.requests.push_back({field(0), field(1), field(2), field(3)});
    } else if (line.key == "waiting") {
        if (to.waiting.size() < max_requests)
            to.waiting.push_back({{field(0), field(1), field(2), field(3)}, field(4), field(5), field(6)});
    } else if (line.key == "frame") {
        if (to.frames.size() < max_frames)
            to.frames.push_back({field(0), field(1), field(2), field(3), field(4), field(5)});
    } else if (line.key == codec::crash::last_line) {
        to.complete = true;
    }
}

std::string printable(std::string_view text) {
    std::string made(text);
    std::ranges::replace_if(made, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '?');
    return made;
}

std::string time_text(std::uint64_t seconds) {
    const auto given = static_cast<std::time_t>(seconds);
    std::tm parts{};
    char text[64];
    if (!gmtime_r(&given, &parts) || !std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts)) return {};
    return text;
}

// Whether a name cannot become much longer: each reference to an earlier part of a mangled name may double it.
bool expands_little(std::string_view mangled) {
    constexpr std::size_t most = 12;
    std::size_t references = 0;
    for (std::size_t i = 1; i < mangled.size(); ++i) {
        const char next = mangled[i];
        const bool refers = next == '_' || (next >= '0' && next <= '9') || (next >= 'A' && next <= 'Z');
        references += refers && (mangled[i - 1] == 'S' || mangled[i - 1] == 'T');
    }
    return references <= most;
}

std::string function_text(const report::frame& f) {
    if (!expands_little(f.function)) return f.function;
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> plain(
        abi::__cxa_demangle(f.function.c_str(), nullptr, nullptr, &status), std::free);
    return plain ? plain.get() : f.function.empty() ? "?" : f.function;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

void append_facts(std::string& to, const report& r) {
    const std::pair<std::string_view, std::string> facts[] = {
        {"exception", r.exception + (r.exception_text.empty() ? "" : ": " + r.exception_text)},
        {"system call", r.system_call},
        {"time", r.time ? time_text(r.time) : std::string()},
        {"process", r.process},
        {"thread", r.thread},
        {"program", r.program},
        {"build ID", r.build_id},
        {"Apus", r.version}};
    for (const auto& [name, value] : facts) {
        if (value.empty()) continue;
        to.append("  ").append(name).append(12 - name.size(), ' ').append(printable(value)).append("\n");
    }
}

std::string text_of_request(const report::request& r) {
    const std::string id = r.id.empty() ? "" : "  request ID " + r.id;
    return printable("  core " + r.core + "  " + r.method + " " + (r.route.empty() ? "(no route)" : r.route) + id);
}

void append_requests(std::string& to, const report& r) {
    if (!r.requests.empty()) to += "\nRequests in flight\n";
    for (const auto& each : r.requests) to += text_of_request(each) + "\n";
    if (!r.waiting.empty()) to += "\nRequests that waited\n";
    for (const auto& each : r.waiting)
        to += text_of_request(each) +
              printable("  for " + each.milliseconds + " ms at " + each.file + ":" + each.line) + "\n";
}

void append_stack(std::string& to, const report& r) {
    to += "\nStack\n";
    std::size_t number = 0;
    for (const auto& f : r.frames) {
        const std::string index = std::to_string(number++);
        to.append(index.size() < 3 ? 3 - index.size() : 0, ' ').append(index).append("  ");
        to += printable(function_text(f));
        const bool known = !f.file.empty();
        to += printable(known ? "  " + std::string(file_name(f.file)) + "+0x" + f.file_address : "  0x" + f.address);
        to += "\n";
    }
    if (r.frames.empty()) to += "  unknown\n";
}

}  // namespace

report parse(std::string_view text) {
    report made;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (number == 1) {
            if (line != codec::crash::first_line) invalid(number, "is not `apus crash report 1`");
            continue;
        }
        if (number > max_lines) invalid(number, "is one too many");
        const auto parsed = codec::crash::parse(line);
        if (!parsed) invalid(number, text_of(parsed.error()));
        add(made, *parsed);
    }
    if (made.signal.empty()) invalid(1, "is not followed by a signal");
    return made;
}

std::string text_of(const report& r) {
    const auto known = std::ranges::find(meanings, r.signal, &meaning_of_signal::name);
    std::string made = printable(r.signal);
    if (known != std::end(meanings)) made.append(": ").append(known->text);
    if (!r.address.empty()) made += printable(" at address 0x" + r.address);
    made += "\n\n";
    append_facts(made, r);
    append_requests(made, r);
    append_stack(made, r);
    if (!r.complete) made += "\nThe report is incomplete: its writing was interrupted.\n";
    return made;
}

}  // namespace apus::cli::crash
