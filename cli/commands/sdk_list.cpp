// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include <apus/json.hpp>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/installation/store.hpp"
#include "cli/sdk/mirror.hpp"

namespace apus::cli::commands {

namespace sdk_list_detail {

struct row {
    std::string name;
    std::string folder;
    bool in_use = false;
};

constexpr option options[] = {
    {.name = "from", .value = "MIRROR", .summary = "list the SDKs of this folder or URL"},
    {.name = "json", .summary = "print a JSON list"},
};
constexpr std::string_view examples[] = {"apus sdk list", "apus sdk list --from https://mirror.example/apus"};

int run(const arguments& given, context& in) {
    std::vector<row> rows;
    if (const auto mirror = given.value("from")) {
        for (const auto& each : sdk::index_of(std::string(*mirror)))
            rows.push_back({each.name, each.file, installation::find_sdk(each.name).has_value()});
    } else {
        for (const auto& each : installation::installed())
            rows.push_back({each.name, each.folder.string(), each.in_use});
    }
    if (given.has("json")) return in.shell.print(to_json(rows) + "\n"), 0;
    if (rows.empty()) in.shell.hint("no SDK is installed; `./apus install` in a checkout of Apus installs one");
    std::size_t width = 0;
    for (const row& each : rows) width = std::max(width, each.name.size());
    std::string text;
    for (const row& each : rows)
        text.append(each.in_use ? "* " : "  ")
            .append(each.name)
            .append(width - each.name.size() + 2, ' ')
            .append(each.folder)
            .append("\n");
    in.shell.print(text);
    return 0;
}

}  // namespace sdk_list_detail

constinit const command sdk_list = {
    .name = "sdk list",
    .group = "SDK",
    .summary = "list the installed SDKs",
    .description =
        "A star marks the SDK in use or, with `--from`, the installed SDKs. An SDK is the library in one version\n"
        "and profile. Several SDKs can be installed side by side. A project can pin an SDK in apus.toml.",
    .operands = {},
    .options = sdk_list_detail::options,
    .examples = sdk_list_detail::examples,
    .run = sdk_list_detail::run,
};

}  // namespace apus::cli::commands
