// SPDX-License-Identifier: Apache-2.0
#include "cli/text/lists.hpp"

#include <algorithm>

namespace apus::cli::text {

std::vector<std::string_view> split(std::string_view choices, char between) {
    std::vector<std::string_view> list;
    while (!choices.empty()) {
        const std::size_t end = std::min(choices.find(between), choices.size());
        list.push_back(choices.substr(0, end));
        choices.remove_prefix(std::min(end + 1, choices.size()));
    }
    return list;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r");
    return begin == text.npos ? std::string_view() : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

bool is_choice(std::string_view word, std::string_view choices) {
    const auto list = split(choices);
    return std::ranges::find(list, word) != list.end();
}

std::string enumeration(std::string_view choices) {
    const auto list = split(choices);
    std::string text;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (i) text += i + 1 == list.size() ? " or " : ", ";
        text.append("`").append(list[i]).append("`");
    }
    return text;
}

std::string counted(std::uint64_t count, std::string_view what) {
    return (std::to_string(count) + " ").append(what).append(count == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
    std::string text;
    for (const std::string& part : parts) text.append(&part == &parts.front() ? "" : between).append(part);
    return text;
}

}  // namespace apus::cli::text
