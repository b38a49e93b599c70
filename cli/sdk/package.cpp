// SPDX-License-Identifier: Apache-2.0
#include "cli/sdk/package.hpp"

#include <csignal>
#include <cstdint>

#include <sys/utsname.h>

#include "cli/errors/failure.hpp"
#include "cli/manifest/dependencies.hpp"
#include "cli/packaging/archive.hpp"
#include "cli/packaging/engine.hpp"
#include "cli/packaging/signature.hpp"
#include "cli/sdk/contents.hpp"
#include "cli/system/files.hpp"
#include "cli/system/process.hpp"
#include "cli/text/choices.hpp"

namespace apus::cli::sdk {

namespace {

namespace fs = std::filesystem;
using errors::failure;

constexpr std::string_view beginning = "apus-sdk-";

// An SDK has some 30 MB in 300 files. A package that would fill the disk is none, even with a signature.
constexpr std::uint64_t most_bytes = 1 << 30;
constexpr std::size_t most_entries = 20'000;

// What may stand beside a package, by what is added to its name.
constexpr const char* beside[] = {".sha256", ".sig", ".minisig"};

std::string ending() {
    utsname machine{};
    uname(&machine);
    return std::string("-linux-") + machine.machine + ".tar.gz";
}

// The SDK's name in that of its package; what else the file may be called is no name of a folder.
std::string name_in(const fs::path& package) {
    std::string name = package.filename().string();
    const std::string end = ending();
    if (!is_for_this_machine(name))
        throw failure(
            "E0505",
            "`" + package.string() + "` is no package of an SDK for this machine: its name is not apus-sdk-NAME" + end,
            "`apus sdk pack` makes one");
    name = name.substr(beginning.size(), name.size() - beginning.size() - end.size());
    if (!manifest::is_dependency_name(name) || name == "current")
        throw failure("E0505", "`" + package.string() + "` names no SDK");
    return name;
}

failure refused(const fs::path& called, const std::string& why) {
    return {"E0505", "`" + called.string() + "` " + why, "do not install it; get it again from where it comes from"};
}

// The archive in a package, beside it. What tar takes out of it has no more bytes, but for the holes of sparse files.
fs::path decompressed(const fs::path& package, const fs::path& called) {
    const auto ended = system::run({.words = {"gzip", "-dk", "--", package.string()},
                                    .environment = {{"LC_ALL", "C"}, {"GZIP", ""}},
                                    .file_bytes = most_bytes});
    if (ended.status == 128 + SIGXFSZ || ended.error.contains("File too large"))
        throw refused(called, "has more than " + std::to_string(most_bytes >> 20) + " MiB in it");
    if (!ended.ok()) throw failure("E0505", "`" + called.string() + "` is no archive that gzip reads");
    return package.parent_path() / package.stem();
}

// Of a tar archive whose entries are all in one folder of this name and lead nowhere else.
void check_entries(const fs::path& archive, const fs::path& called, const std::string& name) {
    std::size_t entries = 0;
    const int status = system::run(
        {.words = {"tar", "-tf", archive.string()}, .environment = {{"LC_ALL", "C"}, {"TAR_OPTIONS", ""}}},
        [&](std::string_view entry) {
            if (++entries > most_entries)
                throw refused(called, "has more than " + std::to_string(most_entries) + " files in it");
            if (entry.starts_with("tar: ")) return;  // what is wrong with the archive
            if (!entry.starts_with(name + "/") || entry.contains("/../") || entry.ends_with("/.."))
                throw refused(called, "has `" + std::string(entry) + "` in it, which is not below `" + name + "/`");
        });
    if (status != 0) throw failure("E0505", "`" + called.string() + "` is no archive that tar reads");
}

// A file may be larger than the archive: one with holes.
void unpack(const system::invocation& tar, const fs::path& called) {
    try {
        packaging::run_engine(tar);
    } catch (const failure& why) {
        if (why.message().contains("status " + std::to_string(128 + SIGXFSZ)))
            throw refused(called, "has a file of more than " + std::to_string(most_bytes >> 20) + " MiB in it");
        throw;
    }
}

// Leaves no mode but those of files, programs and folders, whatever the archive and the umask say.
void check_files(const fs::path& folder, const fs::path& called) {
    if (const auto strays = strays_in(folder); !strays.empty())
        throw refused(called,
                      "has `" + strays.front() + "` in it, which is no file or folder, nor a link to a file of it");
    fs::permissions(folder, fs::perms(0755));
    for (const auto& each : fs::recursive_directory_iterator(folder)) {
        if (each.is_symlink()) continue;
        const bool runs =
            each.is_directory() || (each.status().permissions() & fs::perms::owner_exec) != fs::perms::none;
        fs::permissions(each.path(), fs::perms(runs ? 0755 : 0644));
    }
}

// Whoever can write where it is may change it between the look at it and its use.
fs::path own_copy(const fs::path& package, const fs::path& folder) {
    std::error_code none;
    if (!fs::is_regular_file(package, none)) throw failure("E0103", "there is no file `" + package.string() + "`");
    const fs::path copy = folder / package.filename();
    system::write_file(copy, system::read_file(package));
    for (const char* end : beside)
        if (const fs::path paper = package.string() + end; fs::is_regular_file(paper, none))
            system::write_file(copy.string() + end, system::read_file(paper));
    return copy;
}

void publish(const fs::path& packed, const fs::path& made) {
    std::error_code none;
    const bool same = fs::is_regular_file(made, none) && packaging::sha256_of(made) == packaging::sha256_of(packed);
    system::replacements all;
    all.add(made, system::read_file(packed));
    for (const char* end : beside) {
        const fs::path from = packed.string() + end, to = made.string() + end;
        if (fs::exists(from, none)) all.add(to, system::read_file(from));
        else if (!same) system::remove_tree(to);  // of a package that is replaced
    }
    all.commit();
}

}  // namespace

std::string package_of(std::string_view sdk) { return std::string(beginning).append(sdk).append(ending()); }

bool is_for_this_machine(std::string_view file) {
    return file.starts_with(beginning) && file.ends_with(ending()) && file.size() > beginning.size() + ending().size();
}

fs::path pack(const installation::sdk& which, const fs::path& out, const std::optional<fs::path>& key) {
    packaging::tree files;
    for (const auto& each : fs::recursive_directory_iterator(which.folder)) {
        const std::string path = each.path().lexically_relative(which.folder).string();
        if (each.is_symlink()) files.link(path, fs::read_symlink(each.path()).string());
        else if (each.is_regular_file())
            files.copy(path, each.path(),
                       (each.status().permissions() & fs::perms::owner_exec) != fs::perms::none ? 0755 : 0644);
    }
    const system::folder_in_the_making work(out / "sdk");
    const fs::path made = out / package_of(which.name);
    const fs::path archive = work.path() / made.stem();
    packaging::write_tar(archive, files, which.name + "/", 0);
    const fs::path packed = packaging::gzip_file(archive);
    system::write_file(fs::path(packed.string() + ".sha256"),
                       packaging::sha256_of(packed) + "  " + made.filename().string() + "\n");
    if (key) packaging::sign(packed, *key);
    publish(packed, made);
    return made;
}

installation::sdk install(const fs::path& package, const fs::path& store, const std::optional<fs::path>& key) {
    const std::string name = name_in(package);
    const system::folder_in_the_making checked(store / "checked");
    const fs::path copy = own_copy(package, checked.path());
    packaging::verify(copy, key, package);
    const fs::path archive = decompressed(copy, package);
    check_entries(archive, package, name);
    system::folder_in_the_making work(store / name);
    unpack({.words = {"tar", "-xf", archive.string(), "--no-same-owner", "--no-same-permissions",
                      "--strip-components=1", "-C", work.path().string()},
            .file_bytes = most_bytes},
           package);
    check_files(work.path(), package);
    contents_of(work.path());  // or it is none
    write_sums(work.path());
    system::sync_disk_of(work.path());
    work.commit();
    return {name, store / name, false};
}

}  // namespace apus::cli::sdk
