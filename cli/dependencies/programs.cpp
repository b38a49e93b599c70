// SPDX-License-Identifier: Apache-2.0
#include "cli/dependencies/programs.hpp"

#include <algorithm>

#include "cli/errors/failure.hpp"

namespace apus::cli::dependencies {

namespace {

std::string_view without_end(std::string_view text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
    return text;
}

}  // namespace

system::outcome programs::ask(system::invocation what) const {
    std::string line;
    for (const std::string& word : what.words) line.append(line.empty() ? "" : " ").append(word);
    shell_.detail("Running", line);
    what.environment.emplace_back("LC_ALL", "C.UTF-8");
    // Lets git use only these protocols, and prevents prompts for passwords.
    what.environment.emplace_back("GIT_ALLOW_PROTOCOL", "file:https:http:ssh:git");
    what.environment.emplace_back("GIT_TERMINAL_PROMPT", "0");
    return system::run(what);
}

std::string programs::answer(std::vector<std::string> words) const {
    if (!system::has_program(words.front())) return {};
    const system::outcome ended = ask(std::move(words));
    return ended.ok() ? std::string(without_end(ended.out)) : std::string();
}

std::string programs::need(system::invocation what, std::string_view act) const {
    system::outcome ended = ask(std::move(what));
    if (ended.ok()) return std::move(ended.out);
    std::string_view why = last_line(ended.error);
    for (const std::string_view line : lines_of(ended.error)) {
        if (!line.starts_with("fatal: ") && !line.starts_with("error: ")) continue;
        why = line.substr(7);
        break;
    }
    if (why.empty()) why = last_line(ended.out);
    if (is_about_the_network(ended.error))
        throw errors::failure("E0405", "cannot " + std::string(act) + ": " + std::string(why),
                              "check the network and the address");
    throw errors::failure("E0408",
                          "cannot " + std::string(act) + ": " +
                              (why.empty() ? "exit status " + std::to_string(ended.status) : std::string(why)));
}

bool is_about_the_network(std::string_view said) noexcept {
    for (const std::string_view mark :
         {"Unable to connect", "ConnectionError", "Failed to connect", "Couldn't connect", "Connection refused",
          "Connection timed out", "Max retries exceeded", "Failed to establish", "Name or service not known",
          "Temporary failure in name resolution", "Could not resolve host", "ProxyError", "timed out",
          "Network is unreachable"})
        if (said.find(mark) != said.npos) return true;
    return false;
}

std::string_view last_line(std::string_view text) {
    text = without_end(text);
    const auto at = text.rfind('\n');
    return at == text.npos ? text : text.substr(at + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        lines.push_back(line);
        text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
    return lines;
}

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    for (std::size_t at = 0; (at = line.find_first_not_of(" \t\r", at)) != line.npos;) {
        const std::size_t end = std::min(line.size(), line.find_first_of(" \t\r", at));
        words.push_back(line.substr(at, end - at));
        at = end;
    }
    return words;
}

}  // namespace apus::cli::dependencies
