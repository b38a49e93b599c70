// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/help.hpp"

#include <algorithm>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/text/layout.hpp"

namespace apus::cli::commands {

namespace help_detail {

constexpr std::size_t widest_name = 30;  // the summary of a longer name starts on the next line

// Appends "  name   summary", with the summaries aligned.
void row(std::string& text, std::string_view name, std::string_view summary, std::size_t width) {
    width = std::min(width, widest_name);
    text.append("  ").append(name);
    if (name.size() > width) text.append("\n").append(width + 4, ' ');
    else text.append(width - name.size() + 2, ' ');
    text.append(text::wrapped(summary, width + 4)).append("\n");
}

std::size_t widest(std::span<const command* const> list) {
    std::size_t width = 0;
    for (const command* c : list) width = std::max(width, c->name.size());
    return width;
}

void options_of(std::string& text, std::string_view heading, std::span<const option> options) {
    if (options.empty()) return;
    std::size_t width = 0;
    for (const option& o : options) width = std::max(width, spelling_of(o).size());
    text.append("\n").append(heading).append(":\n");
    for (const option& o : options) row(text, spelling_of(o), o.summary, width);
}

void operands_of(std::string& text, const command& of) {
    if (of.operands.empty()) return;
    std::size_t width = 0;
    for (const operand& o : of.operands) width = std::max(width, o.name.size());
    text += "\nOperands:\n";
    for (const operand& o : of.operands)
        row(text, o.name,
            o.choices.empty() ? std::string(o.summary) : std::string(o.summary) + ": " + std::string(o.choices), width);
}

constexpr operand topics[] = {{"COMMAND", "a command, or the first word of several commands", operand_count::any}};
constexpr option options[] = {{.name = "markdown", .summary = "print all commands as Markdown (docs/commands.md)"}};
constexpr std::string_view examples[] = {"apus help", "apus help new"};

// Escapes text for a cell of a Markdown table.
std::string cell(std::string_view text) {
    std::string made;
    for (const char c : text) {
        if (c == '|') made += '\\';
        made += c;
    }
    return made;
}

std::string commands_as_markdown() {
    std::string text =
        "# Commands\n\n"
        "All commands of the tool `apus`. `apus help COMMAND` shows the options, operands and examples of a command.\n"
        "`apus help --markdown` generates this page from the table behind help, manual pages and completions.\n";
    std::string_view group;
    for (const command* c : table()) {
        if (c->group != group)
            text.append("\n## ").append(c->group).append("\n\n| Command | What it does |\n|---|---|\n");
        group = c->group;
        text.append("| `apus ")
            .append(c->name)
            .append(cell(usage_of(*c)))
            .append("` | ")
            .append(cell(c->summary))
            .append(" |\n");
    }
    text += "\n## Options of all commands\n\n| Option | What it does |\n|---|---|\n";
    for (const option& o : global_options()) {
        const std::string spelling = spelling_of(o);
        text.append("| `")
            .append(cell(std::string_view(spelling).substr(spelling.find('-'))))
            .append("` | ")
            .append(cell(o.summary))
            .append(" |\n");
    }
    return text;
}

int run(const arguments& given, context& in) {
    if (given.has("markdown")) return in.shell.print(commands_as_markdown()), 0;
    std::string name;
    for (const std::string_view word : given.operands()) name.append(name.empty() ? "" : " ").append(word);
    if (name.empty()) return in.shell.print(help_of_all()), 0;
    if (const command* one = find_command(name)) return in.shell.print(help_of(*one)), 0;
    const std::string group = help_of_group(name);
    if (!group.empty()) return in.shell.print(group), 0;
    char* const words[] = {name.data()};
    find_command(words);  // throws with a suggestion for an unknown command
    return 2;
}

}  // namespace help_detail

constinit const command help = {
    .name = "help",
    .group = "The tool",
    .summary = "list the commands, or show the help of a command",
    .description = "Without an operand, lists all commands. `apus COMMAND --help` shows the same.",
    .operands = help_detail::topics,
    .options = help_detail::options,
    .examples = help_detail::examples,
    .run = help_detail::run,
};

std::string_view version_text() noexcept { return "apus " APUS_VERSION "\n"; }

std::string spelling_of(const option& of) {
    std::string text = of.letter ? std::string{'-', of.letter, ',', ' '} : std::string(4, ' ');
    text.append("--").append(of.name);
    if (!of.value.empty()) text.append(" ").append(of.value);
    return text;
}

std::string usage_of(const command& of) {
    std::string text = of.options.empty() ? "" : " [OPTIONS]";
    for (const operand& o : of.operands) {
        const bool needed = o.count == operand_count::one || o.count == operand_count::at_least_one;
        const bool many = o.count == operand_count::any || o.count == operand_count::at_least_one;
        text.append(needed ? " " : " [").append(o.name).append(many ? "..." : "").append(needed ? "" : "]");
    }
    if (of.has_program_arguments) text += " [-- ARGUMENT...]";
    return text;
}

std::string help_of_all() {
    std::string text = "apus: a C++23 web framework and toolchain\n\nUsage: apus [OPTIONS] COMMAND\n";
    const std::size_t width = help_detail::widest(table());
    std::string_view group;
    for (const command* c : table()) {
        if (c->group != group) text.append("\n").append(c->group).append(":\n");
        group = c->group;
        help_detail::row(text, c->name, c->summary, width);
    }
    help_detail::options_of(text, "Options of all commands", global_options());
    return text + "\n`apus help COMMAND` shows the options and operands of a command.\n";
}

std::string help_of_group(std::string_view word) {
    std::string text;
    const std::size_t width = help_detail::widest(table());
    for (const command* c : table())
        if (c->name.starts_with(std::string(word) + " ")) help_detail::row(text, c->name, c->summary, width);
    return text.empty() ? text
                        : "Commands of `apus " + std::string(word) + "`:\n" + text + "\n`apus help " +
                              std::string(word) + " COMMAND` shows the options and operands of a command.\n";
}

std::string help_of(const command& of) {
    std::string text = "apus " + std::string(of.name) + ": " + std::string(of.summary) + "\n\nUsage: apus " +
                       std::string(of.name) + usage_of(of) + "\n";
    if (!of.description.empty()) text.append("\n").append(text::wrapped(of.description, 0)).append("\n");
    help_detail::operands_of(text, of);
    help_detail::options_of(text, "Options", of.options);
    if (!of.examples.empty()) text += "\nExamples:\n";
    for (const std::string_view example : of.examples) text.append("  ").append(example).append("\n");
    return text + "\n`apus help` lists the options of all commands.\n";
}

}  // namespace apus::cli::commands
