// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/text/lists.hpp"

// Generates completion scripts from the command table. The shell itself completes file names.

namespace apus::cli::commands {

namespace completion_detail {

constexpr operand operands[] = {{"SHELL", "the shell", operand_count::one, "bash|zsh|fish"}};
constexpr std::string_view examples[] = {"apus completion bash > /etc/bash_completion.d/apus",
                                         "apus completion fish > ~/.config/fish/completions/apus.fish"};

// Converts "a|b" to "a b".
std::string spaced(std::string_view choices) {
    const auto list = text::split(choices);
    return text::joined({list.begin(), list.end()});
}

std::vector<std::string> words_after(const command& of) {
    std::vector<std::string> words;
    for (const operand& o : of.operands)
        for (const std::string_view choice : text::split(o.choices)) words.emplace_back(choice);
    for (const auto list : {of.options, global_options()})
        for (const option& o : list) words.push_back("--" + std::string(o.name));
    return words;
}

// Returns the words that may follow `name`, or start a command line if `name` is empty.
std::vector<std::string> subcommands(std::string_view name) {
    std::vector<std::string> words;
    for (const command* c : table()) {
        std::string_view rest = c->name;
        if (!name.empty() && !(rest.starts_with(name) && rest.size() > name.size() && rest[name.size()] == ' '))
            continue;
        if (!name.empty()) rest.remove_prefix(name.size() + 1);
        std::string word(rest.substr(0, rest.find(' ')));
        if (std::ranges::find(words, word) == words.end()) words.push_back(std::move(word));
    }
    return words;
}

// Returns one "pattern) words;;" per command prefix, in syntax common to bash and zsh.
std::string cases() {
    std::string text;
    auto add = [&](std::string_view pattern, const std::vector<std::string>& words) {
        text.append("        '").append(pattern).append("') words='").append(text::joined(words)).append("' ;;\n");
    };
    add("", subcommands(""));
    for (const std::string& first : subcommands(""))
        if (!find_command(first)) add(first, subcommands(first));
    for (const command* c : table()) {
        std::vector<std::string> words = subcommands(c->name);
        std::ranges::move(words_after(*c), std::back_inserter(words));
        add(c->name, words);
    }
    return text;
}

// Returns one "pattern) words;;" per option with a value: the allowed words, or no words if the shell completes a file
// name.
std::string value_cases() {
    std::string text;
    auto add = [&](std::string_view name, const option& o) {
        if (o.value.empty()) return;
        const std::string beginning = name.empty() ? "        *' " : "        '" + std::string(name) + " ";
        text.append(beginning).append("--").append(o.name).append("'");
        if (o.letter) text.append("|").append(beginning.substr(8)).append("-").append(1, o.letter).append("'");
        text.append(") words='").append(o.value.contains('|') ? spaced(o.value) : "").append("' ;;\n");
    };
    for (const command* c : table())
        for (const option& o : c->options) add(c->name, o);
    for (const option& o : global_options()) add("", o);
    return text;
}

// Returns the global options that require a value, as a pattern: "-C|--directory|--color".
std::string global_options_with_values() {
    std::string text;
    for (const option& o : global_options()) {
        if (o.value.empty()) continue;
        if (o.letter) text.append(text.empty() ? "-" : "|-").append(1, o.letter);
        text.append(text.empty() ? "--" : "|--").append(o.name);
    }
    return text;
}

// Returns shell code that sets `words` to the words that may follow the command at the cursor. `typed` is a shell
// expression for the words before the cursor. Uses only syntax that bash and zsh share.
std::string name_lookup(std::string_view typed) {
    return "    for word in \"" + std::string(typed) +
           "\"; do\n"
           "        case $previous in " +
           global_options_with_values() +
           ") ;; *) [[ $word == -* ]] || name=\"${name:+$name }$word\" ;; esac\n"
           "        previous=$word\n"
           "    done\n"
           "    while :; do\n"
           "        case $name in\n" +
           cases() +
           "        esac\n"
           "        [[ -n $words || -z $name ]] && break\n"
           "        [[ $name == *' '* ]] && name=${name% *} || break\n"
           "    done\n"
           "    case \"$name $previous\" in\n" +
           value_cases() + "    esac\n";
}

std::string bash() {
    return "_apus() {\n"
           "    local words= name= word previous=\n" +
           name_lookup("${COMP_WORDS[@]:1:COMP_CWORD-1}") +
           "    COMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n"
           "}\n"
           "complete -o default -F _apus apus\n";
}

std::string zsh() {
    return "#compdef apus\n"
           "_apus() {\n"
           "    local words_typed=(\"${words[@]:1:$((CURRENT-2))}\") words= name= word previous=\n" +
           name_lookup("${words_typed[@]}") +
           "    compadd -- ${=words}\n"
           "    _files\n"
           "}\n"
           "_apus \"$@\"\n";
}

std::string fish() {
    std::string text;
    auto quoted = [](std::string_view word) {
        std::string made = "'";
        for (const char c : word) {
            if (c == '\'' || c == '\\') made += '\\';
            made += c;
        }
        return made + "'";
    };
    for (const std::string& group : subcommands(""))
        if (!find_command(group))
            text.append("complete -c apus -n __fish_use_subcommand -a ").append(group).append("\n");
    for (const command* c : table()) {
        const std::size_t space = c->name.find(' ');
        const std::string_view first = c->name.substr(0, space);
        if (space == std::string_view::npos) text.append("complete -c apus -n __fish_use_subcommand -a ").append(first);
        else
            text.append("complete -c apus -n '__fish_seen_subcommand_from ")
                .append(first)
                .append("' -a ")
                .append(c->name.substr(space + 1));
        text.append(" -d ").append(quoted(c->summary)).append("\n");
        for (const operand& o : c->operands)
            if (!o.choices.empty())
                text.append("complete -c apus -n '__fish_seen_subcommand_from ")
                    .append(first)
                    .append("' -a ")
                    .append(quoted(spaced(o.choices)))
                    .append("\n");
        for (const option& o : c->options) {
            text.append("complete -c apus -n '__fish_seen_subcommand_from ")
                .append(first)
                .append("' -l ")
                .append(o.name);
            if (o.letter) text.append(" -s ").append(1, o.letter);
            if (o.value.contains('|')) text.append(" -x -a ").append(quoted(spaced(o.value)));
            else if (!o.value.empty()) text.append(" -r");
            text.append(" -d ").append(quoted(o.summary)).append("\n");
        }
    }
    return text;
}

int run(const arguments& given, context& in) {
    const std::string_view shell = given.operand(0);
    in.shell.print(shell == "bash" ? bash() : shell == "zsh" ? zsh() : fish());
    return 0;
}

}  // namespace completion_detail

constinit const command completion = {
    .name = "completion",
    .group = "The tool",
    .summary = "print the completion script of a shell",
    .description = "The script is generated from the same table as the help.",
    .operands = completion_detail::operands,
    .options = {},
    .examples = completion_detail::examples,
    .run = completion_detail::run,
};

}  // namespace apus::cli::commands
