// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/packaging/signature.hpp"

namespace apus::cli::commands {

namespace package_verify_detail {

constexpr operand operands[] = {{"FILE", "a package", operand_count::at_least_one}};
constexpr option options[] = {
    {.name = "key", .letter = 'k', .value = "FILE", .summary = "the public key for verifying signatures"}};
constexpr std::string_view examples[] = {"apus package verify dist/shop_1.2.0_amd64.deb --key release.key.pub"};

int run(const arguments& given, context& in) {
    std::optional<std::filesystem::path> key;
    if (const auto file = given.value("key")) key = *file;
    for (const std::string_view file : given.operands()) {
        packaging::verify(file, key);
        in.shell.event("Verified", std::string(file) + (key ? ": signature is valid" : ": SHA-256 matches"));
    }
    if (!key) in.shell.hint("a hash does not prove the origin: verify the signature with `--key FILE`");
    return 0;
}

}  // namespace package_verify_detail

constinit const command package_verify = {
    .name = "package verify",
    .group = "Packages",
    .summary = "verify hashes and signatures of packages",
    .description =
        "Compares the hash of each file with FILE.sha256. With a key, also verifies the signature in FILE.sig\n"
        "or FILE.minisig.",
    .operands = package_verify_detail::operands,
    .options = package_verify_detail::options,
    .examples = package_verify_detail::examples,
    .run = package_verify_detail::run,
};

}  // namespace apus::cli::commands
