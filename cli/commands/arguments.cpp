// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "cli/text/lists.hpp"
#include "cli/text/nearest.hpp"

namespace apus::cli::commands {

namespace {

std::string quoted(std::string_view word) { return "`" + std::string(word) + "`"; }

void check_choice(std::string_view what, std::string_view value, std::string_view choices, const command& of) {
    if (!choices.contains('|') || text::is_choice(value, choices)) return;
    misuse(std::string(what) + " is " + quoted(value) + "; allowed: " + text::enumeration(choices), of);
}

}  // namespace

void misuse(std::string message, const command& of) {
    throw errors::usage("E0102", std::move(message),
                        "`apus help " + std::string(of.name) + "` shows its options and operands");
}

arguments::arguments(const command& of, std::span<char* const> words) : of_(of) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (word == "--" && of.has_program_arguments) {
            program_arguments_.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
            break;
        }
        if (word.starts_with("--") && word.size() > 2) {
            const std::size_t equals = word.find('=');
            std::optional<std::string_view> value;
            if (equals != std::string_view::npos) value = word.substr(equals + 1);
            take(find_long(word.substr(2, equals == std::string_view::npos ? equals : equals - 2)), value, words, i);
        } else if (word.size() > 1 && word[0] == '-' && word != "--") {
            parse_short_options(word.substr(1), words, i);
        } else {
            operands_.push_back(word);
        }
    }
    check_operands();
}

const option& arguments::find_long(std::string_view name) const {
    const auto at = std::ranges::find(of_.options, name, &option::name);
    if (at != of_.options.end()) return *at;
    std::vector<std::string_view> names;
    for (const option& o : of_.options) names.push_back(o.name);
    const std::string_view near = text::nearest(name, names);
    misuse("`apus " + std::string(of_.name) + "`: unknown option `--" + std::string(name) + "`" +
               (near.empty() ? "" : "; did you mean `--" + std::string(near) + "`?"),
           of_);
}

void arguments::parse_short_options(std::string_view letters, std::span<char* const> words, std::size_t& i) {
    while (!letters.empty()) {
        const auto at = std::ranges::find(of_.options, letters[0], &option::letter);
        if (at == of_.options.end())
            misuse("`apus " + std::string(of_.name) + "`: unknown option `-" + letters[0] + "`", of_);
        letters.remove_prefix(1);
        if (at->value.empty()) {
            take(*at, std::nullopt, words, i);
            continue;
        }
        std::optional<std::string_view> value;
        if (!letters.empty()) value = letters;
        return take(*at, value, words, i);
    }
}

void arguments::take(const option& found, std::optional<std::string_view> value, std::span<char* const> words,
                     std::size_t& i) {
    const std::string name = "`--" + std::string(found.name) + "`";
    if (found.value.empty()) {
        if (value) misuse(name + " does not take a value", of_);
    } else if (!value) {
        if (i + 1 == words.size()) misuse(name + " requires a value: " + std::string(found.value), of_);
        value = words[++i];
    }
    if (value) check_choice(name, *value, found.value, of_);
    const auto same = [&](const auto& given) { return given.first == &found; };
    if (!found.repeats && std::ranges::any_of(options_, same)) misuse(name + " is given more than once", of_);
    options_.emplace_back(&found, value.value_or(std::string_view()));
}

void arguments::check_operands() const {
    const std::size_t kinds = of_.operands.size();
    const bool open = kinds && of_.operands.back().count != operand_count::one &&
                      of_.operands.back().count != operand_count::optional;
    if (!open && operands_.size() > kinds)
        misuse(quoted(operands_[kinds]) + " is an unexpected argument of `apus " + std::string(of_.name) + "`", of_);
    for (std::size_t i = 0; i < kinds; ++i) {
        const auto& wanted = of_.operands[i];
        const bool needed = wanted.count == operand_count::one || wanted.count == operand_count::at_least_one;
        if (needed && i >= operands_.size())
            misuse("`apus " + std::string(of_.name) + "` requires " + std::string(wanted.name) + ": " +
                       std::string(wanted.summary),
                   of_);
        if (i < operands_.size()) check_choice(wanted.name, operands_[i], wanted.choices, of_);
    }
    for (std::size_t i = kinds; i < operands_.size(); ++i)
        check_choice(of_.operands.back().name, operands_[i], of_.operands.back().choices, of_);
}

bool arguments::has(std::string_view name) const {
    return std::ranges::any_of(options_, [&](const auto& given) { return given.first->name == name; });
}

std::optional<std::string_view> arguments::value(std::string_view name) const {
    std::optional<std::string_view> last;
    for (const auto& [given, value] : options_)
        if (given->name == name) last = value;
    return last;
}

std::vector<std::string_view> arguments::values(std::string_view name) const {
    std::vector<std::string_view> all;
    for (const auto& [given, value] : options_)
        if (given->name == name) all.push_back(value);
    return all;
}

long arguments::number(std::string_view name, long least, long most, long otherwise) const {
    const auto written = value(name);
    if (!written) return otherwise;
    long number = 0;
    const auto [end, error] = std::from_chars(written->data(), written->data() + written->size(), number);
    if (error != std::errc() || end != written->data() + written->size() || number < least || number > most)
        misuse("`--" + std::string(name) + "` is " + quoted(*written) + "; expected a whole number from " +
                   std::to_string(least) + " to " + std::to_string(most),
               of_);
    return number;
}

}  // namespace apus::cli::commands
