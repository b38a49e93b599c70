// SPDX-License-Identifier: Apache-2.0
#include "cli/packaging/package.hpp"

#include <cerrno>
#include <cstdio>
#include <vector>

#include "cli/errors/failure.hpp"
#include "cli/packaging/build.hpp"
#include "cli/packaging/engine.hpp"
#include "cli/packaging/formats.hpp"
#include "cli/packaging/materials.hpp"
#include "cli/packaging/signature.hpp"
#include "cli/packaging/staging.hpp"
#include "cli/system/files.hpp"

namespace apus::cli::packaging {

namespace {

std::string size_of(const fs::path& file) {
    const auto bytes = fs::file_size(file);
    if (bytes < 1'000'000) return std::to_string((bytes + 999) / 1000) + " kB";
    return std::to_string(bytes / 1'000'000) + "." + std::to_string(bytes / 100'000 % 10) + " MB";
}

fs::path program_of(const product& of, const options& asked, terminal::shell& shell) {
    if (asked.binary) return *asked.binary;
    const architecture& target = architecture_named(asked.target);
    return asked.builds ? build(of, target, shell) : built(of, target);
}

std::vector<fs::path> make_formats(const product& of, const options& asked, const fs::path& work) {
    const auto wanted = [&](std::string_view format) { return asked.format == format || asked.format == "all"; };
    const tree whole = staged(of);
    std::vector<fs::path> made;
    if (wanted("tar")) made.push_back(make_tar(of, whole, work));
    if (wanted("deb")) made.push_back(make_deb(of, whole, work));
    if (wanted("rpm")) made.push_back(make_rpm(of, whole, work));
    if (wanted("oci")) made.push_back(make_oci(of, work, asked.base.empty() ? of.of.package.image.base : asked.base));
    return made;
}

// Renames it into the folder that people look at; both are on one disk.
fs::path publish(const fs::path& made, const fs::path& out) {
    const fs::path to = out / made.filename();
    if (std::rename(made.c_str(), to.c_str()) != 0) throw errors::system_failure("cannot write `" + to.string() + "`", errno);
    return to;
}

void check_said(const product& of, const options& asked) {
    if (asked.format == "tar" || asked.format == "oci" || !of.of.package.maintainer.empty()) return;
    throw errors::failure("E0701", "a " + std::string(asked.format == "rpm" ? "rpm" : "deb") + " needs to say who maintains it", "write `maintainer = \"Name <name@example.org>\"` below `[package]` in apus.toml");
}

}  // namespace

void package(const manifest::manifest& of, const options& asked, terminal::shell& shell) {
    product what = describe(of);
    check_said(what, asked);
    const fs::path program = program_of(what, asked, shell);
    what.machine = &architecture_of(program);
    system::make_folder(asked.out);
    const system::folder_in_the_making work(asked.out / "package");
    system::make_folder(work.path() / "artefacts");
    const fs::path absolute = fs::absolute(work.path());
    what.binary = absolute / "program";
    strip(program, what.binary, *what.machine);
    const std::vector<fs::path> all = make_formats(what, asked, absolute);
    const std::vector<part> parts = packages_of(libraries_of(what));
    for (const fs::path& made : all) {
        const std::string sum = sha256_of(made);
        std::vector<fs::path> beside{made.string() + ".cdx.json", made.string() + ".sha256"};
        system::replace_file(beside[0], bill_of_materials(what, parts, sum));
        system::replace_file(beside[1], sum + "  " + made.filename().string() + "\n");
        if (asked.key) beside.insert(beside.end(), {sign(made, *asked.key), sign(beside[0], *asked.key)});
        for (const fs::path& each : beside) publish(each, asked.out);
        const fs::path to = publish(made, asked.out);
        shell.event("Packaged", to.string() + " (" + size_of(to) + ")");
    }
}

}  // namespace apus::cli::packaging
