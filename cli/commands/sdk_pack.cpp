// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/sdk_named.hpp"
#include "cli/commands/table.hpp"
#include "cli/sdk/package.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {sdk_name};
constexpr option options[] = {
    {.name = "out", .letter = 'o', .value = "DIR", .summary = "where the package goes (this folder)"},
    {.name = "sign", .value = "KEY", .summary = "sign with this private key of OpenSSH or minisign"},
};
constexpr std::string_view examples[] = {"apus sdk pack 0.1.0-web --sign release.key"};

int run(const arguments& given, context& in) {
    std::optional<std::filesystem::path> key;
    if (const auto file = given.value("sign")) key = *file;
    const auto made = sdk::pack(sdk_named(given.operand(0)), given.value("out").value_or("."), key);
    in.shell.event("Packed", made.string());
    return 0;
}

}  // namespace

constinit const command sdk_pack = {
    .name = "sdk pack",
    .group = "SDK",
    .summary = "pack an SDK for other machines",
    .description =
        "Makes a package that `apus sdk install` installs, with its SHA-256 beside it. A mirror is a\n"
        "folder of packages with an index.toml: docs/sdk.md shows one.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
