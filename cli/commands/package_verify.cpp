// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/packaging/signature.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {{"FILE", "packages", how_many::at_least_one}};
constexpr option options[] = {
    {.name = "key", .letter = 'k', .value = "FILE", .summary = "the public key that they must be signed by"}};
constexpr std::string_view examples[] = {"apus package verify dist/shop_1.2.0_amd64.deb --key release.key.pub"};

int run(const arguments& given, context& in) {
    std::optional<std::filesystem::path> key;
    if (const auto file = given.value("key")) key = *file;
    for (const std::string_view file : given.operands()) {
        packaging::verify(file, key);
        in.shell.event("Verified", std::string(file) + (key ? ": signed by that key" : ": as its SHA-256 says"));
    }
    if (!key) in.shell.hint("only a signature says who made them: `--key FILE` checks it");
    return 0;
}

}  // namespace

constinit const command package_verify = {
    .name = "package verify",
    .group = "Packages",
    .summary = "verify hashes and signatures of packages",
    .description =
        "Compares each with FILE.sha256 beside it and, with a key, checks its signature, FILE.sig or\n"
        "FILE.minisig.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
