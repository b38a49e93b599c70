// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/packaging/package.hpp"
#include "cli/work/presets.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {{"FORMAT", "what to make", how_many::one, "tar|deb|rpm|oci|all"}};
constexpr option options[] = {
    {.name = "out", .letter = 'o', .value = "DIR", .summary = "where packages go (dist in the project)"},
    {.name = "binary", .value = "FILE", .summary = "package this program in place of a release build"},
    {.name = "no-build", .summary = "package what the last `apus package` has built"},
    {.name = "preset", .value = "NAME", .summary = "a preset of CMakePresets.json to build by (release)"},
    {.name = "target", .value = "x86_64|aarch64", .summary = "the machine to build for (this one)"},
    {.name = "base", .value = "scratch|debian", .summary = "what images are based on (as apus.toml says)"},
    {.name = "sign", .value = "KEY", .summary = "sign with this private key of OpenSSH or minisign"},
};
constexpr std::string_view examples[] = {"apus package deb", "apus package all --sign release.key",
                                         "apus package deb --target aarch64"};

int run(const arguments& given, context& in) {
    const manifest::manifest project = manifest::find();
    packaging::options asked{.format = std::string(given.operand(0)),
                             .out = given.value("out") ? std::filesystem::path(*given.value("out"))
                                                       : std::filesystem::proximate(project.folder / "dist"),
                             .builds = !given.has("no-build")};
    if (const auto file = given.value("binary")) asked.binary = *file;
    asked.preset = work::preset_for({.release = true, .named = given.value("preset")});
    asked.target = given.value("target").value_or("");
    asked.base = given.value("base").value_or("");
    if (const auto key = given.value("sign")) asked.key = *key;
    if (asked.binary && given.has("no-build")) misuse("`--binary` and `--no-build` exclude each other", given.of());
    if (asked.binary && given.has("preset")) misuse("`--binary` and `--preset` exclude each other", given.of());
    packaging::package(project, asked, in.shell);
    return 0;
}

}  // namespace

constinit const command package = {
    .name = "package",
    .group = "Packages",
    .summary = "build packages: deb, rpm, tar, OCI image",
    .description =
        "Builds the preset `release` and packs it with a unit for systemd, a user, folders,\n"
        "configuration, completions, a manual page and papers. The same sources give the same bytes; times in\n"
        "packages are SOURCE_DATE_EPOCH, or the last commit's. `[package]` in apus.toml says the rest.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
