// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/packaging/package.hpp"
#include "cli/work/presets.hpp"

namespace apus::cli::commands {

namespace package_detail {

constexpr operand operands[] = {{"FORMAT", "the package format", operand_count::one, "tar|deb|rpm|oci|all"}};
constexpr option options[] = {
    {.name = "out", .letter = 'o', .value = "DIR", .summary = "the output folder (dist in the project)"},
    {.name = "binary", .value = "FILE", .summary = "package this program instead of a release build"},
    {.name = "no-build", .summary = "package the output of the previous `apus package`"},
    {.name = "preset", .value = "NAME", .summary = "the preset of CMakePresets.json to build (release)"},
    {.name = "target", .value = "x86_64|aarch64", .summary = "the target architecture (this machine's)"},
    {.name = "base", .value = "scratch|debian", .summary = "the base of images (set in apus.toml)"},
    {.name = "sign", .value = "KEY", .summary = "sign with this OpenSSH or minisign private key"},
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

}  // namespace package_detail

constinit const command package = {
    .name = "package",
    .group = "Packages",
    .summary = "build packages: deb, rpm, tar, OCI image",
    .description =
        "Builds the preset `release` and packages the program with a systemd unit, a user, folders,\n"
        "configuration, completions, a manual page and licenses. Packages are reproducible: all times in them\n"
        "are SOURCE_DATE_EPOCH or the time of the last commit. Set the options in `[package]` of apus.toml.",
    .operands = package_detail::operands,
    .options = package_detail::options,
    .examples = package_detail::examples,
    .run = package_detail::run,
};

}  // namespace apus::cli::commands
