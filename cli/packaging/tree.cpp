// SPDX-License-Identifier: Apache-2.0
#include "cli/packaging/tree.hpp"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/errors/failure.hpp"
#include "cli/system/files.hpp"
#include "cli/system/signals.hpp"

namespace apus::cli::packaging {

namespace {

void check(int result, std::string_view act, const fs::path& path) {
    if (result != 0) throw errors::system_failure("cannot " + std::string(act) + " `" + path.string() + "`", errno);
}

void set_time(const fs::path& path, std::int64_t epoch) {
    const timespec at{.tv_sec = epoch, .tv_nsec = 0};
    const timespec both[] = {at, at};
    check(utimensat(AT_FDCWD, path.c_str(), both, AT_SYMLINK_NOFOLLOW), "set the time of", path);
}

}  // namespace

void tree::add(const std::string& path, entry what) {
    for (std::size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1))
        entries_.try_emplace(path.substr(0, slash), entry{.what = entry::kind::folder, .mode = 0755, .own = false});
    entries_.insert_or_assign(path, std::move(what));
}

void tree::file(const std::string& path, std::string content, mode_t mode) {
    add(path, {.mode = mode, .content = std::move(content)});
}

void tree::copy(const std::string& path, const fs::path& source, mode_t mode) {
    add(path, {.mode = mode, .source = source});
}

void tree::link(const std::string& path, std::string target) {
    add(path, {.what = entry::kind::link, .mode = 0777, .content = std::move(target)});
}

void tree::folder(const std::string& path, mode_t mode, unsigned owner) {
    add(path, {.what = entry::kind::folder, .mode = mode, .owner = owner});
}

void tree::copy_all(const std::string& path, const fs::path& source) {
    std::error_code none;
    const auto status = fs::symlink_status(source, none);
    const bool runs = (status.permissions() & fs::perms::owner_exec) != fs::perms::none;
    if (fs::is_symlink(status)) return link(path, fs::read_symlink(source).string());
    if (fs::is_regular_file(status)) return copy(path, source, runs ? 0755 : 0644);
    if (!fs::is_directory(status)) throw errors::failure("E0703", "no such file or folder: `" + source.string() + "`");
    folder(path);
    for (const auto& each : fs::directory_iterator(source, none))
        copy_all(path + "/" + each.path().filename().string(), each.path());
    if (none) throw errors::system_failure("cannot read the folder `" + source.string() + "`", none.value());
}

std::uintmax_t tree::size() const {
    std::uintmax_t bytes = 0;
    std::error_code none;
    for (const auto& [path, each] : entries_)
        if (each.what == entry::kind::file)
            bytes += each.source.empty() ? each.content.size() : fs::file_size(each.source, none);
    return bytes;
}

void tree::write(const fs::path& root, std::int64_t epoch) const {
    for (const auto& [path, each] : entries_) {
        system::throw_if_interrupted();
        const fs::path to = root / path;
        if (each.what == entry::kind::folder) system::make_folder(to);
        else if (each.what == entry::kind::link)
            check(symlink(each.content.c_str(), to.c_str()), "create the link", to);
        else system::write_file(to, content_of(each));
        if (each.what != entry::kind::link) check(chmod(to.c_str(), each.mode), "set the mode of", to);
    }
    check(chmod(root.c_str(), 0755), "set the mode of", root);  // a deb also contains the root folder
    // Sets times in reverse order, since creating a file changes the modification time of its folder.
    for (auto each = entries_.rbegin(); each != entries_.rend(); ++each) set_time(root / each->first, epoch);
    set_time(root, epoch);
}

std::string content_of(const entry& of) { return of.source.empty() ? of.content : system::read_file(of.source); }

}  // namespace apus::cli::packaging
