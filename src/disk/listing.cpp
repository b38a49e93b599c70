// SPDX-License-Identifier: Apache-2.0
#include "disk/listing.hpp"

#include "base/utf8.hpp"
#include "codec/fields/date.hpp"
#include "codec/url/file_path.hpp"
#include "markup/escape.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <tuple>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace apus::disk {
namespace {

struct closes_folder {
    void operator()(DIR* of) const noexcept { closedir(of); }
};
using open_names = std::unique_ptr<DIR, closes_folder>;

std::string encoded_path(std::string_view path) {
    std::string out;
    while (true) {
        const std::size_t slash = std::min(path.find('/'), path.size());
        markup::append_escaped(out, markup::escape::url_part, path.substr(0, slash));
        if (slash == path.size()) return out;
        out += '/';
        path.remove_prefix(slash + 1);
    }
}

// Whether a request can reach the entry: only reachable entries are listed.
bool is_reachable(const std::string& path, bool hidden) {
    if (!base::is_utf8(path) || path.size() > codec::url::longest_file_path) return false;
    const std::string sent = encoded_path(path);
    std::string room(sent.size(), '\0');
    const auto read = codec::url::read_file_path(sent, hidden, room.data());
    return read.state == codec::outcome::done && read.value == path;
}

// Reads the state of an entry if it can be served. Links are resolved as for requests: from the root, without leaving
// it.
bool look_at(int root, int folder, const std::string& path, const char* name, links follow, struct stat& out) {
    if (fstatat(folder, name, &out, AT_SYMLINK_NOFOLLOW) != 0) return false;
    if (S_ISLNK(out.st_mode)) {
        const int fd = follow == links::none ? -1 : open_path_below(root, path + name, O_PATH, follow);
        if (fd < 0) return false;
        const bool known = fstat(fd, &out) == 0;
        close(fd);
        if (!known) return false;
    }
    return S_ISREG(out.st_mode) || S_ISDIR(out.st_mode);
}

listed_entry made(const char* name, const struct stat& s) {
    const bool folder = S_ISDIR(s.st_mode);
    listed_entry entry{name, folder ? entry_kind::folder : entry_kind::file, std::nullopt,
                       std::chrono::sys_seconds(std::chrono::seconds(s.st_mtim.tv_sec))};
    if (!folder) entry.size = static_cast<std::uint64_t>(s.st_size);
    return entry;
}

void add_row(std::string& page, const std::string& href, std::string_view name, std::string_view size,
             std::string_view modified) {
    (page += "<tr><td><a href=\"./") += href + "\">";
    markup::append_escaped(page, markup::escape::text, name);
    ((((page += "</a><td align=right>") += size) += "<td>") += modified) += '\n';
}

}  // namespace

listed list_folder(int root, const std::string& path, links follow, bool hidden, unsigned most) {
    const int fd = open_path_below(root, path.empty() ? "." : path, O_RDONLY | O_DIRECTORY, follow);
    if (fd < 0) return {{}, errno};
    const open_names reading(fdopendir(fd));
    if (!reading) {
        const int error = errno;
        close(fd);
        return {{}, error};
    }
    listed out;
    const std::string_view self(".");
    for (unsigned seen = 0; const dirent* at = readdir(reading.get());) {
        if (at->d_name == self || at->d_name == std::string_view("..")) continue;
        if (seen++ == most) {
            out.what.complete = false;
            break;
        }
        struct stat s{};
        if (is_reachable(path + at->d_name, hidden) && look_at(root, fd, path, at->d_name, follow, s))
            out.what.entries.push_back(made(at->d_name, s));
    }
    std::ranges::sort(out.what.entries, {}, [](const listed_entry& e) { return std::tie(e.type, e.name); });
    return out;
}

std::string listing_page(const listing& of, std::string_view title, bool top) {
    std::string name;
    markup::append_escaped(name, markup::escape::text, title);
    std::string page =
        "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n<meta name=viewport "
        "content=\"width=device-width\">\n<title>" +
        name + "</title>\n<h1>" + name + "</h1>\n<table cellpadding=4>\n";
    if (!top) add_row(page, "../", "../", "", "");
    for (const listed_entry& entry : of.entries) {
        const bool folder = entry.type == entry_kind::folder;
        std::array<char, codec::fields::date_size> date{};
        codec::fields::write_date(entry.modified.time_since_epoch().count(), date.data());
        add_row(page, encoded_path(entry.name) + (folder ? "/" : ""), entry.name + (folder ? "/" : ""),
                entry.size ? std::to_string(*entry.size) : "", {date.data(), date.size()});
    }
    page += "</table>\n";
    if (!of.complete) page += "<p>This list is incomplete: the folder has more entries.\n";
    return page;
}

}  // namespace apus::disk
