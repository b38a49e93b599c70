// SPDX-License-Identifier: Apache-2.0
#include "cli/packaging/package.hpp"

#include <cerrno>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "cli/errors/failure.hpp"
#include "cli/packaging/build.hpp"
#include "cli/packaging/engine.hpp"
#include "cli/packaging/formats.hpp"
#include "cli/packaging/libraries.hpp"
#include "cli/packaging/bill_of_package.hpp"
#include "cli/packaging/signature.hpp"
#include "cli/packaging/staging.hpp"
#include "cli/system/files.hpp"
#include "cli/system/signals.hpp"

namespace apus::cli::packaging {

namespace {

std::string size_of(const fs::path& file) {
    const auto bytes = fs::file_size(file);
    if (bytes < 1'000'000) return std::to_string((bytes + 999) / 1000) + " kB";
    return std::to_string(bytes / 1'000'000) + "." + std::to_string(bytes / 100'000 % 10) + " MB";
}

// A lock on the build folder, held until the packages exist, so that another `apus package` does not change the build.
using build_lock = std::optional<system::folder_lock>;

fs::path program_of(product& of, const options& asked, build_lock& held, terminal::shell& shell) {
    if (asked.binary) return *asked.binary;
    const release what{.of = of, .target = architecture_named(asked.target), .preset = asked.preset};
    refuse_library(of.of);
    if (!asked.builds) built(what);
    held.emplace(what.folder(), [&] { shell.event("Waiting", "for another `apus package` to end"); });
    of.sdk = what.sdk();
    return asked.builds ? build(what, shell) : built(what);
}

// A package file, and the distribution packages that only this format contains.
struct artefact {
    fs::path file;
    std::vector<part> packages{};
};

std::vector<artefact> make_formats(const product& of, const options& asked, const fs::path& work) {
    const auto wanted = [&](std::string_view format) { return asked.format == format || asked.format == "all"; };
    const tree whole = staged(of, family::debian);
    std::vector<artefact> made;
    if (wanted("tar")) made.push_back({make_tar(of, whole, work)});
    if (wanted("deb")) made.push_back({make_deb(of, whole, work)});
    if (wanted("rpm")) made.push_back({make_rpm(of, staged(of, family::fedora), work)});
    if (!wanted("oci")) return made;
    image one = make_oci(of, work, asked.base.empty() ? of.of.package.image.base : asked.base);
    made.push_back({std::move(one.file), std::move(one.packages)});
    return made;
}

// Suffixes of files that belong to a package.
constexpr std::string_view beside[] = {".sha256",   ".sig",          ".minisig",
                                       ".cdx.json", ".cdx.json.sig", ".cdx.json.minisig"};

void write_signed_files(const artefact& of, dependencies::bill materials, const options& asked) {
    const fs::path& made = of.file;
    add_packages(materials, of.packages);
    materials.of.sha256 = sha256_of(made);
    const fs::path bill = made.string() + ".cdx.json";
    system::write_file(bill, dependencies::cyclonedx(materials));
    system::write_file(made.string() + ".sha256", materials.of.sha256 + "  " + made.filename().string() + "\n");
    if (!asked.key) return;
    sign(made, *asked.key);
    sign(bill, *asked.key);
}

// Lock that serializes writing to an output folder between processes, so that a package always matches its checksum.
class turn {
public:
    explicit turn(const fs::path& folder) : fd_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
        while (fd_ < 0 || flock(fd_, LOCK_EX) != 0) {
            if (fd_ < 0 || errno != EINTR) throw errors::system_failure("cannot lock `" + folder.string() + "`", errno);
            system::throw_if_interrupted();
        }
    }
    ~turn() { close(fd_); }
    turn(const turn&) = delete;
    turn& operator=(const turn&) = delete;

private:
    int fd_;
};

void publish_all(const std::vector<artefact>& all, const fs::path& out, terminal::shell& shell) {
    const turn ours(out);
    system::replacements files;
    std::vector<fs::path> of_others;  // files beside the replaced packages
    std::error_code none;
    for (const artefact& each : all) {
        const fs::path to = out / each.file.filename();
        for (const std::string_view end : beside) {
            const fs::path from = each.file.string() + std::string(end), target = to.string() + std::string(end);
            if (fs::exists(from, none)) files.adopt(from, target);
            else of_others.push_back(target);
        }
        files.adopt(each.file, to);
    }
    files.commit();
    for (const fs::path& each : of_others) system::remove_tree(each);
    for (const artefact& each : all) {
        const fs::path to = out / each.file.filename();
        shell.event("Packaged", to.string() + " (" + size_of(to) + ")");
    }
}

void check_options(const product& of, const options& asked) {
    if (asked.format == "tar" || asked.format == "oci" || !of.maintainer.empty()) return;
    throw errors::failure("E0701", "a " + std::string(asked.format == "rpm" ? "rpm" : "deb") + " requires a maintainer",
                          "write `maintainer = \"Name <name@example.org>\"` below `[package]` in apus.toml");
}

}  // namespace

void package(const manifest::manifest& of, const options& asked, terminal::shell& shell) {
    product what = describe(of);
    check_options(what, asked);
    build_lock held;
    const fs::path program = program_of(what, asked, held, shell);
    what.machine = &architecture_of(program);
    const system::staged_folder work(asked.out / "package");
    system::make_folder(work.path() / "artefacts");
    const fs::path absolute = fs::absolute(work.path());
    what.binary = absolute / "program";
    strip(program, what.binary, *what.machine);
    if (const auto apus = apus_library_of(what)) {
        const std::filesystem::path stripped = absolute / std::filesystem::path(apus->path).filename();
        strip(apus->source, stripped, *what.machine);
        what.apus_library = stripped;
    }
    // Called first, since its error message for a missing library is better than the messages of packaging programs.
    const dependencies::bill materials = bill_of_package(what);
    const std::vector<artefact> all = make_formats(what, asked, absolute);
    for (const artefact& made : all) write_signed_files(made, materials, asked);
    publish_all(all, asked.out, shell);
}

}  // namespace apus::cli::packaging
