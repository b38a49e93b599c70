// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/sdk_named.hpp"
#include "cli/commands/table.hpp"
#include "cli/sdk/package.hpp"

namespace apus::cli::commands {

namespace sdk_pack_detail {

constexpr operand operands[] = {sdk_name};
constexpr option options[] = {
    {.name = "out", .letter = 'o', .value = "DIR", .summary = "the output folder (this folder)"},
    {.name = "sign", .value = "KEY", .summary = "sign with this OpenSSH or minisign private key"},
};
constexpr std::string_view examples[] = {"apus sdk pack 0.1.0-web --sign release.key"};

int run(const arguments& given, context& in) {
    std::optional<std::filesystem::path> key;
    if (const auto file = given.value("sign")) key = *file;
    const auto made = sdk::pack(sdk_named(given.operand(0)), given.value("out").value_or("."), key);
    in.shell.event("Packed", made.string());
    return 0;
}

}  // namespace sdk_pack_detail

constinit const command sdk_pack = {
    .name = "sdk pack",
    .group = "SDK",
    .summary = "pack an SDK for other machines",
    .description =
        "Creates a package for `apus sdk install`, and a second file with the SHA-256 of the package. A mirror\n"
        "is a folder of packages with an index.toml; see docs/sdk.md.",
    .operands = sdk_pack_detail::operands,
    .options = sdk_pack_detail::options,
    .examples = sdk_pack_detail::examples,
    .run = sdk_pack_detail::run,
};

}  // namespace apus::cli::commands
