// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <optional>
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/sdk/installing.hpp"

namespace apus::cli::commands {

namespace {

constexpr option options[] = {
    {.name = "from", .value = "MIRROR", .summary = "a folder or URL with index.toml; needed"},
    {.name = "key", .letter = 'k', .value = "FILE", .summary = "the public key that it must be signed by"},
    {.name = "dry-run", .summary = "say what there is, and install nothing"},
};
constexpr std::string_view examples[] = {"apus upgrade --from https://mirror.example/apus --key release.key.pub"};
constexpr std::string_view sdk_examples[] = {"apus sdk upgrade --from https://mirror.example/apus --dry-run"};

int run(const arguments& given, context& in) {
    const auto mirror = given.value("from");
    if (!mirror)
        misuse("`apus " + std::string(given.of().name) +
                   "` needs `--from MIRROR`: there is no place on the net that it would ask by itself",
               given.of());
    std::optional<std::filesystem::path> key;
    if (const auto file = given.value("key")) key = *file;
    sdk::upgrade(std::string(*mirror), key, given.has("dry-run"), in.shell);
    return 0;
}

}  // namespace

// One command under two names: the tool is a part of the SDK.
constinit const command upgrade = {
    .name = "upgrade",
    .group = "The tool",
    .summary = "install the newest SDK of the profile in use, with its tool",
    .description = "The one before stays; `apus sdk use` goes back to it, and `apus sdk remove` removes it.",
    .operands = {},
    .options = options,
    .examples = examples,
    .run = run,
};

constinit const command sdk_upgrade = {
    .name = "sdk upgrade",
    .group = "SDK",
    .summary = "install the newest SDK of the profile in use",
    .description = "It is `apus upgrade`. The one before stays; `apus sdk use` goes back to it.",
    .operands = {},
    .options = options,
    .examples = sdk_examples,
    .run = run,
};

}  // namespace apus::cli::commands
