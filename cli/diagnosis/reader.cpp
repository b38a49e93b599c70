// SPDX-License-Identifier: Apache-2.0
#include "cli/diagnosis/report_starts.hpp"
#include "cli/diagnosis/pattern.hpp"
#include "cli/diagnosis/plain_text.hpp"
#include "cli/diagnosis/report.hpp"
#include "cli/diagnosis/stacks.hpp"

#include <utility>

namespace apus::cli::diagnosis {
namespace {

constexpr std::size_t max_reports = 32, max_lines = 400;

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// Returns true for lines that only show how a header was included.
bool is_about_includes(std::string_view line) {
    return line.starts_with("In file included from ") || line.starts_with("from ");
}

// Returns the error's position if it is in user code, otherwise the first position in user code in the related
// lines.
place user_position(const report& of) {
    if (is_users(of.at)) return of.at;
    for (const std::string& line : of.lines) {
        if (is_about_includes(line)) continue;
        if (const auto found = read_place(line);
            found && is_users(found->at) && !found->rest.starts_with("note: candidate"))
            return found->at;
    }
    return {};
}

// Returns the line of user code that includes the header.
place includer(const report& of) {
    for (std::string_view line : of.lines) {
        if (!is_about_includes(line)) continue;
        line.remove_prefix(line.find("from ") + 5);
        if (const auto found = read_place(line); found && is_users(found->at)) return found->at;
    }
    return {};
}

// If a static_assert caused the error, replaces the compiler's message with the message of the static_assert.
void find_sentence(report& of) {
    auto found = match("static assertion failed due to requirement '*': {sentence}", of.message);
    if (!found) found = match("static assertion failed: {sentence}", of.message);
    for (auto line = of.lines.begin(); !found && line != of.lines.end(); ++line)
        found = match("*throw bad_*(\"{sentence}\");*", *line);
    if (!found) return;
    // clang also names the type.
    if (const auto about = match("*requirement 'none_of_these<{type}>': *", of.message))
        of.details.emplace_back("type", find(*about, "type"));
    of.from = origin::contract;
    of.message = std::string(find(*found, "sentence"));
}

}  // namespace

void reader::line(std::string_view raw) {
    const std::string text = plain(raw);
    if (open_ && continues(text)) return attach(text);
    if (begins(text)) return;
    if (is_context(text)) {
        context_.emplace_back(trimmed(text));
        if (context_.size() > max_lines) context_.erase(context_.begin());
        return;
    }
    if (open_) attach(text);
}

// Returns true if a line belongs to the current report even if it looks like the start of another report.
bool reader::continues(std::string_view text) {
    switch (current_.from) {
        case origin::cmake: return text.empty() || text.starts_with(' ') || text.starts_with("Call Stack");
        case origin::sanitizer: return !current_.message.starts_with("UBSan") && !ends_stack(current_);
        case origin::linker: return text.starts_with(">>>");
        default: return false;
    }
}

bool reader::begins(std::string_view text) {
    if (auto begun = find_report_start(text)) {
        open(std::move(begun->first), trimmed(text));
        serious_ = begun->is_error;
        return true;
    }
    const auto found = read_place(text);
    if (open_ && found && found->rest.starts_with("note: ")) {
        for (std::string& line : std::exchange(context_, {})) attach(line);
        attach(text);
        return true;
    }
    return false;
}

// Returns true for lines that a compiler or CMake prints before the error to which they belong.
bool reader::is_context(std::string_view text) {
    if (match("--   *ackage '{name}'*", text)) return true;
    if (text.starts_with("In file included from ") || text.starts_with("                 from ")) return true;
    if (const auto found = read_place(text))
        return found->rest.starts_with("required ") || found->rest.starts_with("in 'constexpr' expansion");
    return text.contains(": In ") && text.ends_with(':');
}

void reader::open(report begun, std::string_view text) {
    close();
    current_ = std::move(begun);
    current_.lines = std::exchange(context_, {});
    current_.lines.emplace_back(text);
    open_ = true;
}

void reader::attach(std::string_view text) {
    if (current_.lines.size() >= max_lines) return;
    text = trimmed(text);
    if (current_.from == origin::cmake) add_cmake_line(current_, text);
    if (current_.from == origin::linker) add_linker_line(current_, text);
    current_.lines.emplace_back(text);
}

// Finds the line that included the header. Compilers print this line only with their first message about a header,
// and that message may be a warning.
void reader::find_includer() {
    current_.includer = includer(current_);
    if (current_.includer.file.empty() && current_.at.file == header_) current_.includer = includer_;
    header_ = current_.at.file;
    includer_ = current_.includer;
}

void reader::close() {
    if (open_ && current_.from == origin::compiler) find_includer();
    if (!std::exchange(open_, false) || !serious_ || reports_.size() >= max_reports) return;
    if (current_.from == origin::compiler) {
        current_.users = user_position(current_);
        if (current_.users.file.empty()) current_.users = includer(current_);
        find_sentence(current_);
    } else if (current_.from == origin::sanitizer) {
        read_stacks(current_);
    } else if (is_users(current_.at)) {
        current_.users = current_.at;
    }
    reports_.push_back(std::move(current_));
}

std::vector<report> reader::finish() {
    close();
    std::vector<report> made = std::exchange(reports_, {});
    *this = reader();
    return made;
}

}  // namespace apus::cli::diagnosis
