// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <optional>
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/sdk/installing.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {{"WHAT", "a package's file, or with `--from` an SDK's name", how_many::one}};
constexpr option options[] = {
    {.name = "from", .value = "MIRROR", .summary = "a folder or URL with index.toml"},
    {.name = "key", .letter = 'k', .value = "FILE", .summary = "the public key that it must be signed by"},
    {.name = "use", .summary = "make it the one in use"},
};
constexpr std::string_view examples[] = {"apus sdk install apus-sdk-0.1.0-web-linux-x86_64.tar.gz --key release.key.pub",
                                         "apus sdk install 0.2.0-full --from https://mirror.example/apus --use"};

int run(const arguments& given, context& in) {
    sdk::wish asked{.what = std::string(given.operand(0)), .use = given.has("use")};
    if (const auto mirror = given.value("from")) asked.mirror = std::string(*mirror);
    if (const auto key = given.value("key")) asked.key = *key;
    sdk::bring(asked, in.shell);
    return 0;
}

}  // namespace

constinit const command sdk_install = {
    .name = "sdk install",
    .group = "SDK",
    .summary = "install an SDK from a package or a mirror",
    .description =
        "A package is compared with its SHA-256 and, with `--key`, with its signature before anything of it\n"
        "is unpacked. From a checkout of Apus, `./apus install --profile NAME` installs one.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
