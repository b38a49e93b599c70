// SPDX-License-Identifier: Apache-2.0
#include "cli/text/layout.hpp"

namespace apus::cli::text {

namespace {

constexpr std::size_t columns = 80;
constexpr std::string_view paragraph = "\n\n";

}  // namespace

std::string wrapped(std::string_view text, std::size_t indent) {
    std::string made;
    std::size_t column = indent;
    bool begins = true;
    while (!text.empty()) {
        if (text.starts_with(paragraph)) {
            made.append(paragraph).append(indent, ' ');
            column = indent, begins = true;
            text.remove_prefix(paragraph.size());
            continue;
        }
        if (text.front() == ' ' || text.front() == '\n') {
            text.remove_prefix(1);
            continue;
        }
        const std::string_view word = text.substr(0, text.find_first_of(" \n"));
        if (!begins && column + 1 + word.size() > columns)
            made.append("\n").append(indent, ' '), column = indent, begins = true;
        if (!begins) made += ' ', ++column;
        made += word, column += word.size(), begins = false;
        text.remove_prefix(word.size());
    }
    return made;
}

std::string with_short_paths(std::string_view text, const std::filesystem::path& folder) {
    const std::string prefix = folder.string() + "/";
    std::string made;
    for (std::size_t at; (at = text.find(prefix)) != text.npos; text.remove_prefix(at + prefix.size()))
        made += text.substr(0, at);
    return made.append(text);
}

}  // namespace apus::cli::text
