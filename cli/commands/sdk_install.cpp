// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <optional>
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/dependency_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/sdk/install.hpp"

namespace apus::cli::commands {

namespace sdk_install_detail {

constexpr operand operands[] = {{"WHAT",
                                 "a package file; the name of an SDK, with `--from`; a profile, with `--from-source`",
                                 operand_count::optional}};
constexpr option options[] = {
    {.name = "from", .value = "MIRROR", .summary = "a folder or URL with index.toml"},
    {.name = "from-source", .value = "DIR", .summary = "build the SDK from this checkout of Apus"},
    {.name = "key", .letter = 'k', .value = "FILE", .summary = "the public key for verifying the package's signature"},
    {.name = "use", .summary = "make the SDK the default"},
    packages_flag,
};
constexpr std::string_view examples[] = {
    "apus sdk install apus-sdk-0.1.0-web-linux-x86_64.tar.gz --key release.key.pub",
    "apus sdk install 0.2.0-full --from https://mirror.example/apus --use",
    "apus sdk install web --from-source ~/apus"};

// Returns the checkout and the profile. The default profile is the profile in apus.toml, or `full`.
sdk::source source_of(const arguments& given) {
    sdk::source asked{
        .checkout = *given.value("from-source"), .use = given.has("use"), .packages = given.has("install-packages")};
    const auto project = manifest::find_if_any();
    const manifest::sdk_table table = project ? project->sdk : manifest::sdk_table{};
    asked.profile = given.operands().empty() ? table.profile.value_or("full") : std::string(given.operand(0));
    asked.components = table.components_of(asked.profile);
    return asked;
}

int run(const arguments& given, context& in) {
    if (given.has("from-source")) {
        if (given.has("from") || given.has("key"))
            misuse("`--from-source` excludes `--from` and `--key`, which apply to packages", given.of());
        sdk::build_and_install(source_of(given), in.shell);
        return 0;
    }
    if (given.operands().empty())
        misuse("`apus sdk install` requires WHAT: a package file, or the name of an SDK with `--from MIRROR`",
               given.of());
    sdk::install_options asked{
        .what = std::string(given.operand(0)), .use = given.has("use"), .packages = given.has("install-packages")};
    if (const auto mirror = given.value("from")) asked.mirror = std::string(*mirror);
    if (const auto key = given.value("key")) asked.key = *key;
    sdk::install(asked, in.shell);
    return 0;
}

}  // namespace sdk_install_detail

constinit const command sdk_install = {
    .name = "sdk install",
    .group = "SDK",
    .summary = "install an SDK from a package, a mirror or a checkout of Apus",
    .description =
        "Verifies the SHA-256 of a package and, with `--key`, its signature before unpacking. With\n"
        "`--from-source`, WHAT is a profile of Apus, or a profile in `[sdk.profiles]` of the current project's\n"
        "apus.toml. The default is the profile that the project pins, or full.",
    .operands = sdk_install_detail::operands,
    .options = sdk_install_detail::options,
    .examples = sdk_install_detail::examples,
    .run = sdk_install_detail::run,
};

}  // namespace apus::cli::commands
