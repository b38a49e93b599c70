// SPDX-License-Identifier: Apache-2.0
#include "cli/sdk/package.hpp"

#include <algorithm>

#include <sys/utsname.h>

#include "cli/errors/failure.hpp"
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

std::string ending() {
    utsname machine{};
    uname(&machine);
    return std::string("-linux-") + machine.machine + ".tar.gz";
}

// The SDK's name in that of its package; what else the file may be called is no name of a folder.
std::string name_in(const fs::path& package) {
    std::string name = package.filename().string();
    const std::string end = ending();
    if (!name.starts_with("apus-sdk-") || !name.ends_with(end))
        throw failure("E0505", "`" + package.string() + "` is no package of an SDK for this machine: its name is not apus-sdk-NAME" + end, "`apus sdk pack` makes one");
    name = name.substr(9, name.size() - 9 - end.size());
    if (name.empty() || name.starts_with('.') || name == "current") throw failure("E0505", "`" + package.string() + "` names no SDK");
    return name;
}

bool is_url(std::string_view mirror) {
    return std::ranges::any_of(text::split("http://|https://|file://"), [&](std::string_view scheme) { return mirror.starts_with(scheme); });
}

struct answer {
    bool got;
    std::string why{};  // if not: what curl says
};

answer get(const std::string& mirror, const std::string& file, const fs::path& to) {
    if (!is_url(mirror)) {
        std::error_code none;
        if (!fs::is_regular_file(fs::path(mirror) / file, none)) return {.got = false};
        system::replace_file(to, system::read_file(fs::path(mirror) / file));
        return {.got = true};
    }
    // Slow is well, silent for half a minute is not.
    const auto said = system::run({.words = {"curl", "--fail", "--silent", "--show-error", "--location", "--proto-redir", "=http,https", "--connect-timeout", "20", "--speed-time", "30", "--output", to.string(), "--", mirror + "/" + file}});
    return said.ok() ? answer{.got = true} : answer{.got = false, .why = ": " + said.error.substr(0, said.error.find('\n'))};
}

// Of a tar archive whose entries are all in one folder of this name and lead nowhere else.
void check_entries(const fs::path& package, const std::string& name) {
    const auto said = system::run({.words = {"tar", "-tzf", package.string()}});
    if (!said.ok()) throw failure("E0505", "`" + package.string() + "` is no archive that tar reads");
    for (const std::string_view entry : text::split(said.out, '\n'))
        if (!entry.starts_with(name + "/") || entry.contains("/../") || entry.ends_with("/.."))
            throw failure("E0505", "`" + package.string() + "` has `" + std::string(entry) + "` in it, which is not below `" + name + "/`", "do not install it; get it again from where it comes from");
}

}  // namespace

fs::path pack(const installation::sdk& which, const fs::path& out, const std::optional<fs::path>& key) {
    packaging::tree files;
    for (const auto& each : fs::recursive_directory_iterator(which.folder)) {
        const std::string path = each.path().lexically_relative(which.folder).string();
        if (each.is_symlink()) files.link(path, fs::read_symlink(each.path()).string());
        else if (each.is_regular_file()) files.copy(path, each.path(), (each.status().permissions() & fs::perms::owner_exec) != fs::perms::none ? 0755 : 0644);
    }
    const system::folder_in_the_making work(out / "sdk");
    const fs::path made = out / ("apus-sdk-" + which.name + ending());
    const fs::path archive = work.path() / made.stem();
    packaging::write_tar(archive, files, which.name + "/", 0);
    const fs::path packed = packaging::gzip_file(archive);
    system::replace_file(fs::path(made.string() + ".sha256"), packaging::sha256_of(packed) + "  " + made.filename().string() + "\n");
    fs::rename(packed, made);
    if (key) packaging::sign(made, *key);
    return made;
}

std::vector<offered> index_of(const std::string& mirror) {
    const system::folder_in_the_making work(fs::temp_directory_path() / "apus-index");
    const fs::path index = work.path() / "index.toml";
    if (const answer said = get(mirror, "index.toml", index); !said.got)
        throw failure("E0504", "there is no index.toml at `" + mirror + "`, or it cannot be reached" + said.why, "a mirror is a folder or a URL with index.toml, as docs/sdk.md shows");
    return read_index(system::read_file(index, 16 << 20), mirror + "/index.toml");
}

fs::path fetch(const std::string& mirror, const offered& what, const fs::path& folder) {
    const fs::path package = folder / what.file;
    if (const answer said = get(mirror, what.file, package); !said.got)
        throw failure("E0504", "`" + mirror + "` does not have `" + what.file + "`, which its index lists, or it cannot be reached" + said.why);
    if (const std::string sum = packaging::sha256_of(package); sum != what.sha256)
        throw failure("E0505", "`" + what.file + "` of `" + mirror + "` is not what its index lists: its SHA-256 is " + sum, "do not install it; get it from elsewhere");
    system::replace_file(fs::path(package.string() + ".sha256"), what.sha256 + "  " + what.file + "\n");
    for (const char* signature : {".sig", ".minisig"}) get(mirror, what.file + signature, package.string() + signature);
    return package;
}

installation::sdk install(const fs::path& package, const fs::path& store, const std::optional<fs::path>& key) {
    const std::string name = name_in(package);
    packaging::verify(package, key);
    check_entries(package, name);
    system::folder_in_the_making work(store / name);
    packaging::run_engine({.words = {"tar", "-xzf", package.string(), "--no-same-owner", "--strip-components=1", "-C", work.path().string()}});
    contents_of(work.path());  // or it is none
    write_sums(work.path());
    work.commit();
    return {name, store / name, false};
}

}  // namespace apus::cli::sdk
