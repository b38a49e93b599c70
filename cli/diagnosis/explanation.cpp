// SPDX-License-Identifier: Apache-2.0
#include "cli/diagnosis/explanation.hpp"

#include "cli/diagnosis/known_names.hpp"
#include "cli/diagnosis/pattern.hpp"
#include "cli/diagnosis/rule.hpp"

#include <algorithm>
#include <optional>

namespace apus::cli::diagnosis {
namespace {

std::optional<captures> match_message(const rule& by, const report& of) {
    for (std::string_view pattern : by.messages) {
        if (pattern.empty()) continue;
        if (auto found = match(pattern, of.message)) return found;
    }
    return std::nullopt;
}

std::optional<captures> match_line(const rule& by, const report& of) {
    if (by.also.empty()) return captures();
    for (const std::string& line : of.lines) {
        if (auto found = match(by.also, line)) return found;
    }
    return std::nullopt;
}

void add(captures& to, const captures& more) { to.insert(to.end(), more.begin(), more.end()); }

// Applies a rule to a report. Returns nullopt if the rule does not match.
std::optional<captures> apply(const rule& by, const report& of) {
    if (by.from != of.from && !(by.from == origin::line && of.from == origin::tool)) return std::nullopt;
    auto found = match_message(by, of);
    if (!found) return std::nullopt;
    const auto more = match_line(by, of);
    if (!more) return std::nullopt;
    add(*found, *more);
    const auto known = look_up(by.by, *found);
    if (!known) return std::nullopt;
    add(*found, *known);
    for (const auto& [name, value] : of.details) found->emplace_back(name, value);
    for (std::string_view name : {"freed", "other"}) found->emplace_back(name, "an unknown position");
    return found;
}

struct applied {
    const rule* by;
    captures found;
};

std::optional<applied> rule_for(const report& of) {
    for (const auto table : all_rules()) {
        for (const rule& each : table) {
            if (auto found = apply(each, of)) return applied{&each, *std::move(found)};
        }
    }
    return std::nullopt;
}

// Returns true if `next` repeats an explanation: several errors on one line have one cause, and linkers report every
// reference to an undefined symbol.
bool is_duplicate(const std::vector<explanation>& made, const explanation& next, origin from) {
    return std::ranges::any_of(made, [&](const explanation& each) {
        if (from == origin::linker || next.where.file.empty() || !next.where.line) return each.what == next.what;
        return each.where.file == next.where.file && each.where.line == next.where.line;
    });
}

const place& where(const report& of) {
    if (!of.users.file.empty()) return of.users;
    return of.includer.file.empty() ? of.at : of.includer;
}

// Returns true if the sanitizer did not find a symbolizer. Sanitizers then print frames as
// "#0 0x55c0 (/project/app+0x12)", and ThreadSanitizer prints them as "#0 <null> <null> (app+0x12)".
bool lacks_positions(const report& of) {
    bool bare = false;
    for (const std::string& line : of.lines) {
        if (!line.starts_with('#')) continue;
        if (!match("#{number} 0x{address} (*+0x*", line) && !match("#{number} 0x{address}  (*+0x*", line) &&
            !line.contains(" <null> <null> ("))
            return false;
        bare = true;
    }
    return bare;
}

}  // namespace

std::span<const std::span<const rule>> all_rules() {
    static const std::span<const rule> tables[] = {api_rules(),     coroutine_rules(), name_rules(),  language_rules(),
                                                   warning_rules(), link_rules(),      build_rules(), run_rules()};
    return tables;
}

std::vector<explanation> explain(std::span<const report> reports, std::size_t most) {
    std::vector<explanation> made;
    bool unknown = false;  // an earlier error has no matching rule; later errors may be its consequences
    for (const report& each : reports) {
        if (made.size() >= most) break;
        const auto applied = rule_for(each);
        unknown |= !applied;
        if (!applied || (applied->by->alone && (unknown || !made.empty()))) continue;
        if (each.from == origin::compiler && each.users.file.empty() && !made.empty())
            continue;  // the error is in a library's file, and no position in user code is known
        explanation next{.rule = applied->by->name,
                         .what = fill(applied->by->what, applied->found),
                         .where = where(each),
                         .fix = fill(applied->by->fix, applied->found)};
        if (each.from == origin::sanitizer && lacks_positions(each))
            next.fix = "no source positions: llvm-symbolizer-19 is missing: apt-get install llvm-19";
        if (!is_duplicate(made, next, each.from)) made.push_back(std::move(next));
        if (applied->by->ends) break;
    }
    return made;
}

std::vector<explanation> explain(std::string_view text, std::size_t most) {
    reader in;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        in.line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return explain(in.finish(), most);
}

std::string text_of(const explanation& of) {
    std::string made = "error: " + of.what + "\n";
    if (!of.where.file.empty()) made += "   at: " + text_of(of.where) + "\n";
    if (!of.fix.empty()) made += "  fix: " + of.fix + "\n";
    return made;
}

}  // namespace apus::cli::diagnosis
