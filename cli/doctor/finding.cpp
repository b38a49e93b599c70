// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/finding.hpp"

#include <algorithm>
#include <cstdint>
#include <sstream>

#include <apus/json.hpp>

namespace apus::cli::doctor {
namespace {

constexpr std::string_view installs = "apt-get install -y ";

struct shown_finding {
    std::string about, state, says;
    std::optional<std::string> fix, persist;
};

struct document {
    std::vector<shown_finding> findings;
    std::uint64_t ok = 0, warning = 0, broken = 0;
};

std::string_view name_of(state is) {
    switch (is) {
        case state::ok: return "ok";
        case state::warning: return "warning";
        case state::broken: return "broken";
    }
    return "";
}

std::uint64_t count(std::span<const finding> all, state is) {
    return static_cast<std::uint64_t>(std::ranges::count(all, is, &finding::is));
}

std::optional<std::string> unless_empty(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

std::string text_of(std::span<const finding> all) {
    constexpr std::size_t width = 15;
    std::string made;
    for (const finding& each : all) {
        std::string head(name_of(each.is));
        head.resize(width, ' ');
        made += head + std::string(each.about) + ": " + each.says + "\n";
        if (!each.fix.empty()) made += std::string(width, ' ') + "fix: " + each.fix + "\n";
        if (!each.persist.empty()) made += std::string(width, ' ') + "persist: " + each.persist + "\n";
    }
    return made + "\n" + std::to_string(count(all, state::ok)) + " ok, " + std::to_string(count(all, state::warning)) +
           " warnings, " + std::to_string(count(all, state::broken)) + " broken\n";
}

std::string json_of(std::span<const finding> all) {
    document made{.findings = {},
                  .ok = count(all, state::ok),
                  .warning = count(all, state::warning),
                  .broken = count(all, state::broken)};
    for (const finding& each : all) {
        std::string is(name_of(each.is));
        std::ranges::replace(is, ' ', '_');
        made.findings.push_back(
            {std::string(each.about), is, each.says, unless_empty(each.fix), unless_empty(each.persist)});
    }
    return apus::to_json(made) + "\n";
}

bool any_broken(std::span<const finding> all) { return count(all, state::broken) > 0; }

std::vector<std::vector<std::string>> safe_commands(std::span<const finding> all) {
    std::vector<std::vector<std::string>> commands;
    std::vector<std::string> packages;
    for (const finding& each : all) {
        if (!each.safe || each.fix.empty()) continue;
        const bool package = each.fix.starts_with(installs);
        std::istringstream words(package ? each.fix.substr(installs.size()) : each.fix);
        std::vector<std::string> next;
        for (std::string word; words >> word;) next.push_back(word);
        if (package) packages.insert(packages.end(), next.begin(), next.end());
        else if (std::ranges::find(commands, next) == commands.end()) commands.push_back(std::move(next));
    }
    if (packages.empty()) return commands;
    std::ranges::sort(packages);
    packages.erase(std::ranges::unique(packages).begin(), packages.end());
    packages.insert(packages.begin(), {"apt-get", "install", "-y"});
    commands.insert(commands.begin(), std::move(packages));
    return commands;
}

finding of_setting(std::string_view about, std::string says, std::string_view name, std::string_view value) {
    const std::string set = std::string(name) + "=" + std::string(value);
    return {.about = about,
            .is = state::warning,
            .says = std::move(says),
            .fix = "sysctl -w " + set,
            .persist = "echo " + set + " >> /etc/sysctl.d/90-apus.conf",
            .safe = true};
}

finding of_package(std::string_view about, state is, std::string says, std::string_view packages) {
    return {.about = about,
            .is = is,
            .says = std::move(says),
            .fix = std::string(installs) + std::string(packages),
            .safe = true};
}

}  // namespace apus::cli::doctor
