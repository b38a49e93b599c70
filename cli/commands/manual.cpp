// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/help.hpp"
#include "cli/commands/table.hpp"
#include "cli/system/files.hpp"

// Manual pages in man(7) macros: apus(1), and one for each command, such as apus-new(1).

namespace apus::cli::commands {

namespace manual_detail {

constexpr operand operands[] = {{"COMMAND", "the command whose page to print (apus(1))", operand_count::any}};
constexpr option options[] = {{.name = "all", .value = "DIR", .summary = "write all pages to this folder"}};
constexpr std::string_view examples[] = {"apus manual new | man -l -", "apus manual --all /usr/share/man/man1"};

// Escapes text for roff: backslashes, hyphens and leading dots.
std::string roff(std::string_view text) {
    std::string escaped;
    bool begins_line = true;
    for (const char c : text) {
        if (begins_line && (c == '.' || c == '\'')) escaped += "\\&";
        if (c == '\\') escaped += "\\e";
        else if (c == '-') escaped += "\\-";
        else if (c == '`') escaped += '"';
        else escaped += c;
        begins_line = c == '\n';
    }
    return escaped;
}

std::string page_name(const command* of) {
    std::string name = "apus";
    if (of) name.append("-").append(of->name);
    for (char& c : name)
        if (c == ' ') c = '-';
    return name;
}

void item(std::string& text, std::string_view term, std::string_view summary) {
    text.append(".TP\n.B ").append(roff(term)).append("\n").append(roff(summary)).append("\n");
}

void options_section(std::string& text, std::string_view heading, std::span<const option> list) {
    if (!list.empty()) text.append(".SH ").append(heading).append("\n");
    for (const option& o : list) {
        const std::string spelling = spelling_of(o);
        item(text, std::string_view(spelling).substr(std::min(spelling.find('-'), spelling.size())), o.summary);
    }
}

std::string page(const command* of) {
    std::string text = ".TH \"" + page_name(of) + "\" 1 \"\" \"apus " APUS_VERSION "\"\n.SH NAME\n" + page_name(of) +
                       " \\- " + roff(of ? of->summary : "C++23 web framework and toolchain") +
                       "\n.SH SYNOPSIS\n.B apus";
    text += of ? " " + std::string(of->name) + "\n" + roff(usage_of(*of)) + "\n" : "\n[OPTIONS] COMMAND\n";
    if (of) {
        text.append(".SH DESCRIPTION\n").append(roff(of->description)).append("\n");
        for (const operand& o : of->operands) item(text, o.name, o.summary);
        options_section(text, "OPTIONS", of->options);
    } else {
        text += ".SH COMMANDS\n";
        for (const command* c : table()) item(text, c->name, c->summary);
    }
    options_section(text, "OPTIONS OF ALL COMMANDS", global_options());
    if (of && !of->examples.empty()) {
        text += ".SH EXAMPLES\n.nf\n";
        for (const std::string_view example : of->examples) text.append(roff(example)).append("\n");
        text += ".fi\n";
    }
    return text;
}

int run(const arguments& given, context& in) {
    if (const auto folder = given.value("all")) {
        const system::fs::path to(*folder);
        system::update_file(to / "apus.1", page(nullptr));
        for (const command* c : table()) system::update_file(to / (page_name(c) + ".1"), page(c));
        in.shell.event("Wrote", std::to_string(table().size() + 1) + " pages to " + std::string(*folder));
        return 0;
    }
    std::string name;
    for (const std::string_view word : given.operands()) name.append(name.empty() ? "" : " ").append(word);
    const command* of = name.empty() ? nullptr : find_command(name);
    if (!name.empty() && !of) misuse("unknown command `apus " + name + "`", given.of());
    in.shell.print(page(of));
    return 0;
}

}  // namespace manual_detail

constinit const command manual = {
    .name = "manual",
    .group = "The tool",
    .summary = "print the manual page of a command",
    .description = "The pages are generated from the same table as the help.",
    .operands = manual_detail::operands,
    .options = manual_detail::options,
    .examples = manual_detail::examples,
    .run = manual_detail::run,
};

}  // namespace apus::cli::commands
