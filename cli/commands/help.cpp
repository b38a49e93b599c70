// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/help.hpp"

#include <algorithm>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/text/wrapped.hpp"

namespace apus::cli::commands {

namespace {

constexpr std::size_t widest_name = 30;  // a longer one has a line of its own

// "  name   summary" with the summaries under each other.
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

constexpr operand topics[] = {{"COMMAND", "a command, or the first word of some", how_many::any}};
constexpr option options[] = {{.name = "markdown", .summary = "print all commands as docs/commands.md has them"}};
constexpr std::string_view examples[] = {"apus help", "apus help new"};

// A text in a table of Markdown.
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
    find_command(words);  // says what was meant
    return 2;
}

}  // namespace

constinit const command help = {
    .name = "help",
    .group = "The tool",
    .summary = "list the commands, or show the help of one",
    .description = "Without an operand, lists all commands. `apus COMMAND --help` shows the same.",
    .operands = topics,
    .options = options,
    .examples = examples,
    .run = run,
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
        const bool needed = o.count == how_many::one || o.count == how_many::at_least_one;
        const bool many = o.count == how_many::any || o.count == how_many::at_least_one;
        text.append(needed ? " " : " [").append(o.name).append(many ? "..." : "").append(needed ? "" : "]");
    }
    if (of.passes_on) text += " [-- ARGUMENT...]";
    return text;
}

std::string help_of_all() {
    std::string text = "apus: C++ services from an empty folder to production\n\nUsage: apus [OPTIONS] COMMAND\n";
    const std::size_t width = widest(table());
    std::string_view group;
    for (const command* c : table()) {
        if (c->group != group) text.append("\n").append(c->group).append(":\n");
        group = c->group;
        row(text, c->name, c->summary, width);
    }
    options_of(text, "Options of all commands", global_options());
    return text + "\n`apus help COMMAND` shows what a command takes.\n";
}

std::string help_of_group(std::string_view word) {
    std::string text;
    const std::size_t width = widest(table());
    for (const command* c : table())
        if (c->name.starts_with(std::string(word) + " ")) row(text, c->name, c->summary, width);
    return text.empty() ? text
                        : "Commands of `apus " + std::string(word) + "`:\n" + text + "\n`apus help " +
                              std::string(word) + " COMMAND` shows what one takes.\n";
}

std::string help_of(const command& of) {
    std::string text = "apus " + std::string(of.name) + ": " + std::string(of.summary) + "\n\nUsage: apus " +
                       std::string(of.name) + usage_of(of) + "\n";
    if (!of.description.empty()) text.append("\n").append(text::wrapped(of.description, 0)).append("\n");
    operands_of(text, of);
    options_of(text, "Options", of.options);
    if (!of.examples.empty()) text += "\nExamples:\n";
    for (const std::string_view example : of.examples) text.append("  ").append(example).append("\n");
    return text + "\n`apus help` lists the options that all commands take.\n";
}

}  // namespace apus::cli::commands
