// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/sdk_named.hpp"

#include <string>
#include <vector>

#include "cli/errors/failure.hpp"
#include "cli/text/nearest.hpp"

namespace apus::cli::commands {

installation::sdk sdk_named(std::string_view name) {
    if (auto found = installation::find_sdk(name)) return *std::move(found);
    const auto all = installation::installed();
    std::vector<std::string_view> names;
    names.reserve(all.size());
    for (const auto& each : all) names.push_back(each.name);
    const std::string meant = text::did_you_mean(name, names);
    throw errors::failure("E0502", "no SDK `" + std::string(name) + "` is installed",
                          meant.empty() ? "`apus sdk list` lists the installed SDKs" : meant);
}

}  // namespace apus::cli::commands
