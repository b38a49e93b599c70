// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <optional>
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/sdk/install.hpp"

namespace apus::cli::commands {

namespace upgrade_detail {

constexpr option options[] = {
    {.name = "from", .value = "MIRROR", .summary = "a folder or URL with index.toml; required"},
    {.name = "key", .letter = 'k', .value = "FILE", .summary = "the public key for verifying the package's signature"},
    {.name = "dry-run", .summary = "show the newest version without installing it"},
};
constexpr std::string_view examples[] = {"apus upgrade --from https://mirror.example/apus --key release.key.pub"};
constexpr std::string_view sdk_examples[] = {"apus sdk upgrade --from https://mirror.example/apus --dry-run"};

int run(const arguments& given, context& in) {
    const auto mirror = given.value("from");
    if (!mirror)
        misuse("`apus " + std::string(given.of().name) + "` requires `--from MIRROR`: there is no default mirror",
               given.of());
    std::optional<std::filesystem::path> key;
    if (const auto file = given.value("key")) key = *file;
    sdk::upgrade(std::string(*mirror), key, given.has("dry-run"), in.shell);
    return 0;
}

}  // namespace upgrade_detail

// `apus upgrade` and `apus sdk upgrade` do the same, since the tool is part of the SDK.
constinit const command upgrade = {
    .name = "upgrade",
    .group = "The tool",
    .summary = "install the newest SDK of the profile in use, with its tool",
    .description = "The previous SDK is kept: `apus sdk use` selects it again, `apus sdk remove` removes it.",
    .operands = {},
    .options = upgrade_detail::options,
    .examples = upgrade_detail::examples,
    .run = upgrade_detail::run,
};

constinit const command sdk_upgrade = {
    .name = "sdk upgrade",
    .group = "SDK",
    .summary = "install the newest SDK of the profile in use",
    .description = "The same as `apus upgrade`. The previous SDK is kept: `apus sdk use` selects it again.",
    .operands = {},
    .options = upgrade_detail::options,
    .examples = upgrade_detail::sdk_examples,
    .run = upgrade_detail::run,
};

}  // namespace apus::cli::commands
