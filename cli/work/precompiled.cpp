// SPDX-License-Identifier: Apache-2.0
#include "cli/work/precompiled.hpp"

#include <algorithm>
#include <utility>

namespace apus::cli::work {

namespace {

// Splits a command like a shell: handles quotes and backslashes, without expansion.
std::vector<std::string> words_of(std::string_view command) {
    std::vector<std::string> words;
    bool in_word = false;
    char quote = 0;
    for (std::size_t i = 0; i < command.size(); ++i) {
        const char c = command[i];
        if (!quote && c == ' ') {
            in_word = false;
            continue;
        }
        if (!std::exchange(in_word, true)) words.emplace_back();
        if (c == '\\' && quote != '\'' && i + 1 < command.size()) words.back() += command[++i];
        else if (quote ? c == quote : c == '"' || c == '\'') quote = quote ? '\0' : c;
        else words.back() += c;
    }
    return words;
}

}  // namespace

std::vector<std::string> command_without_precompiled(std::string_view command) {
    constexpr std::size_t length = 8;  // -Xclang -include-pch -Xclang FILE -Xclang -include -Xclang FILE
    std::vector<std::string> words = words_of(command);
    const auto include = std::ranges::find(words, "-include-pch");
    if (include == words.begin() || words.end() - include < static_cast<std::ptrdiff_t>(length) ||
        std::ranges::find(words, "-c") == words.end() || std::ranges::find(words, "&&") != words.end())
        return {};
    words.erase(include - 1, include - 1 + length);
    for (const std::string_view made : {"-o", "-MF", "-MT"})
        if (const auto at = std::ranges::find(words, made); words.end() - at > 1) words.erase(at, at + 2);
    std::erase(words, "-MD");
    words.emplace_back("-fsyntax-only");
    return words;
}

}  // namespace apus::cli::work
