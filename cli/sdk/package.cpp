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
#include "cli/text/lists.hpp"

namespace apus::cli::sdk {

namespace {

namespace fs = std::filesystem;
using errors::failure;

constexpr std::string_view beginning = "apus-sdk-";

// An SDK has about 30 MB in 300 files. Much larger packages, even signed packages, are rejected before they fill the
// disk.
constexpr std::uint64_t max_bytes = 1 << 30;
constexpr std::size_t max_entries = 20'000;

// Suffixes of files that belong to a package.
constexpr const char* beside[] = {".sha256", ".sig", ".minisig"};

std::string ending() {
    utsname machine{};
    uname(&machine);
    return std::string("-linux-") + machine.machine + ".tar.gz";
}

// Returns the name of the SDK in the file name of its package. Throws E0505 if this is not a plain folder name.
std::string name_in(const fs::path& package) {
    std::string name = package.filename().string();
    const std::string end = ending();
    if (!matches_architecture(name))
        throw failure("E0505",
                      "`" + package.string() +
                          "` is not an SDK package for this machine: the file name must be apus-sdk-NAME" + end,
                      "`apus sdk pack` creates SDK packages");
    name = name.substr(beginning.size(), name.size() - beginning.size() - end.size());
    if (!manifest::is_dependency_name(name) || name == "current")
        throw failure("E0505", "`" + package.string() + "` has no SDK name");
    return name;
}

failure refused(const fs::path& called, const std::string& why) {
    return {"E0505", "`" + called.string() + "` " + why, "do not install it; download it again"};
}

// Decompresses the archive next to the package. The size limit also limits the unpacked files, except sparse files.
fs::path decompressed(const fs::path& package, const fs::path& called) {
    const auto ended = system::run({.words = {"gzip", "-dk", "--", package.string()},
                                    .environment = {{"LC_ALL", "C"}, {"GZIP", ""}},
                                    .file_bytes = max_bytes});
    if (ended.status == 128 + SIGXFSZ || ended.error.contains("File too large"))
        throw refused(called, "contains more than " + std::to_string(max_bytes >> 20) + " MiB");
    if (!ended.ok()) throw failure("E0505", "`" + called.string() + "` is not a gzip archive");
    return package.parent_path() / package.stem();
}

// Throws E0505 unless all entries are in one folder with this name.
void check_entries(const fs::path& archive, const fs::path& called, const std::string& name) {
    std::size_t entries = 0;
    const int status = system::run(
        {.words = {"tar", "-tf", archive.string()}, .environment = {{"LC_ALL", "C"}, {"TAR_OPTIONS", ""}}},
        [&](std::string_view entry) {
            if (++entries > max_entries)
                throw refused(called, "contains more than " + std::to_string(max_entries) + " files");
            if (entry.starts_with("tar: ")) return;  // error message of tar
            if (!entry.starts_with(name + "/") || entry.contains("/../") || entry.ends_with("/.."))
                throw refused(called, "contains `" + std::string(entry) + "`, which is outside `" + name + "/`");
        });
    if (status != 0) throw failure("E0505", "`" + called.string() + "` is not a tar archive");
}

// Unpacks the archive with a limit on the size of files, since a sparse file may be larger than the archive.
void unpack(const system::invocation& tar, const fs::path& called) {
    try {
        packaging::run_engine(tar);
    } catch (const failure& why) {
        if (why.message().contains("status " + std::to_string(128 + SIGXFSZ)))
            throw refused(called, "contains a file of more than " + std::to_string(max_bytes >> 20) + " MiB");
        throw;
    }
}

// Rejects special files and links to files outside. Sets modes that depend neither on the archive nor on the umask.
void check_files(const fs::path& folder, const fs::path& called) {
    if (const auto disallowed = disallowed_entries(folder); !disallowed.empty())
        throw refused(called, "contains `" + disallowed.front() +
                                  "`, which must be a file, a folder or a link to a file of the package");
    fs::permissions(folder, fs::perms(0755));
    for (const auto& each : fs::recursive_directory_iterator(folder)) {
        if (each.is_symlink()) continue;
        const bool runs =
            each.is_directory() || (each.status().permissions() & fs::perms::owner_exec) != fs::perms::none;
        fs::permissions(each.path(), fs::perms(runs ? 0755 : 0644));
    }
}

// Copies a package to a private folder, since other users could change the original between verification and unpacking.
fs::path private_copy(const fs::path& package, const fs::path& folder) {
    std::error_code none;
    if (!fs::is_regular_file(package, none)) throw failure("E0103", "no such file: `" + package.string() + "`");
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
        else if (!same) system::remove_tree(to);  // it belongs to the replaced package
    }
    all.commit();
}

}  // namespace

std::string package_of(std::string_view sdk) { return std::string(beginning).append(sdk).append(ending()); }

bool matches_architecture(std::string_view file) {
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
    const system::staged_folder work(out / "sdk");
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
    const system::staged_folder checked(store / "checked");
    const fs::path copy = private_copy(package, checked.path());
    packaging::verify(copy, key, package);
    const fs::path archive = decompressed(copy, package);
    check_entries(archive, package, name);
    system::staged_folder work(store / name);
    unpack({.words = {"tar", "-xf", archive.string(), "--no-same-owner", "--no-same-permissions",
                      "--strip-components=1", "-C", work.path().string()},
            .file_bytes = max_bytes},
           package);
    check_files(work.path(), package);
    contents_of(work.path());  // throws if the contents are not an SDK
    write_sums(work.path());
    system::sync_disk_of(work.path());
    work.commit();
    return {name, store / name, false};
}

}  // namespace apus::cli::sdk
