// SPDX-License-Identifier: Apache-2.0
#include "cli/diagnosis/stacks.hpp"

#include "cli/diagnosis/pattern.hpp"

#include <optional>

namespace apus::cli::diagnosis {
namespace {

struct frame {
    std::string_view function;
    place at;
};

// Returns the text before the last occurrence of `mark`.
std::string_view without(std::string_view text, std::string_view mark) {
    return mark.empty() ? text : text.substr(0, text.rfind(mark));
}

// Returns the beginning of ThreadSanitizer's "(program+0x12)", or an empty string.
std::string_view module_separator(std::string_view text) {
    const std::size_t at = text.rfind("+0x"), open = text.rfind(" (", at);
    return at == text.npos || open == text.npos ? std::string_view() : text.substr(open, at - open);
}

// Parses "#1 0x55d in name(args) /a/b.cpp:3:5", or ThreadSanitizer's "#1 name(args) /a/b.cpp:3 (program+0x12)".
std::optional<frame> read_frame(std::string_view line) {
    if (!line.starts_with('#')) return std::nullopt;
    auto found = match("#{number} 0x{address} in {function}", line);
    if (!found) found = match("#{number} {function}", line);
    if (!found) return std::nullopt;
    frame read{.function = find(*found, "function"), .at = {}};
    read.function = without(without(read.function, " (BuildId: "), module_separator(read.function));
    if (auto at = place_at_end(read.function)) {
        read.at = *std::move(at);
        read.function = read.function.substr(0, read.function.find_last_of(' '));
    }
    return read;
}

bool is_users(const frame& of) {
    return diagnosis::is_users(of.at) && !of.function.starts_with("apus::") && !of.function.starts_with("std::") &&
           !of.function.starts_with("__interceptor") && !of.function.starts_with("operator ");
}

// Returns the role of a stack, derived from the line above the stack; empty for the first stack.
std::string_view purpose(std::string_view heading) {
    if (heading.starts_with("freed by ") || heading.starts_with("Previous free")) return "freed";
    if (heading.contains("allocated by ") || heading.contains("allocated from") ||
        heading.contains("is located in stack"))
        return "made";
    if (heading.starts_with("Previous ")) return "other";
    return {};
}

// Returns the name of a coroutine. g++ names the body like the function but without parameters; clang adds a suffix.
std::string_view coroutine_of(const frame& inner, const frame& outer) {
    for (std::string_view mark : {".resume", ".destroy", ".actor"}) {
        if (inner.function.contains(mark)) return inner.function.substr(0, inner.function.find_first_of("(. "));
    }
    const bool bare = !inner.function.empty() && inner.function.find_first_of("( ") == inner.function.npos;
    const bool made =
        outer.function.starts_with(inner.function) && outer.function.substr(inner.function.size()).starts_with('(');
    return bare && (made || outer.function.contains("coroutine_handle<")) ? inner.function : std::string_view();
}

// Searches the first stack, which shows where the error occurred.
void find_coroutine(report& of) {
    std::optional<frame> inner;
    for (const std::string& line : of.lines) {
        if (line.empty() && inner) return;
        if (line.empty()) continue;
        const auto outer = read_frame(line);
        const std::string_view name = inner && outer ? coroutine_of(*inner, *outer) : std::string_view();
        if (!name.empty()) {
            of.lines.push_back("(in the coroutine " + std::string(name) + ")");
            return;
        }
        inner = outer;
    }
}

// Returns "operator[]", "front" or "back" for such a function of a standard container, otherwise an empty string.
// Smart pointers are excluded: their operator[] fails only for a null pointer.
std::string_view element_access_of(const frame& of) {
    const std::string_view name = of.function.substr(0, of.function.rfind('('));
    bool contained = false;
    for (std::string_view each : {"vector<", "span<", "array<", "deque<", "basic_string", "__cxx11::basic_string"})
        contained = contained || name.substr(0, 5 + each.size()) == "std::" + std::string(each);
    for (std::string_view each : {"operator[]", "front", "back"})
        if (contained && name.ends_with("::" + std::string(each))) return each;
    return {};
}

// Searches the frames of the C++ library that the user's code has called. An empty container has a null pointer, which
// UBSan reports.
void find_element_access(report& of) {
    for (const std::string& line : of.lines) {
        const auto read = read_frame(line);
        if (!read) continue;
        if (is_users(*read)) return;
        const std::string_view name = element_access_of(*read);
        if (name.empty()) continue;
        of.lines.push_back(name == "operator[]" ? "(index into an empty container)"
                                                : "(" + std::string(name) + "() of an empty container)");
        return;
    }
}

void find_places(report& of) {
    std::string_view told_for;
    bool found_in_stack = false;
    for (const std::string& line : of.lines) {
        const auto read = read_frame(line);
        if (!read) {
            if (line.empty()) continue;
            if (line.ends_with(':') || line.contains(" located in ")) {
                told_for = purpose(line);
                found_in_stack = false;
            }
            continue;
        }
        if (found_in_stack || !is_users(*read)) continue;
        found_in_stack = true;
        if (of.users.file.empty()) {
            of.users = read->at;
            of.details.emplace_back("function", read->function);
        } else if (!told_for.empty()) {
            of.details.emplace_back(told_for, text_of(read->at));
        }
    }
    if (of.users.file.empty() && diagnosis::is_users(of.at)) of.users = of.at;
}

}  // namespace

void read_stacks(report& of) {
    find_places(of);
    find_coroutine(of);
    if (of.message.starts_with("UBSan: ") && of.message.contains(" null pointer")) find_element_access(of);
}

bool ends_stack(const report& of) { return !of.lines.empty() && of.lines.back().starts_with("SUMMARY: "); }

}  // namespace apus::cli::diagnosis
