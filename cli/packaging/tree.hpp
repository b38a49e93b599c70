// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace apus::cli::packaging {

namespace fs = std::filesystem;

/// A file, folder or symbolic link of a package, owned by root unless `owner` is set.
struct entry {
    enum class kind {
        file,
        folder,
        link
    };
    kind what = kind::file;
    mode_t mode = 0644;
    std::string content{};  ///< content of a file without `source`; target of a link
    fs::path source{};      ///< the file to copy; empty: use `content`
    unsigned owner = 0;     ///< user and group id, in images
    bool own = true;        ///< false for parent folders that belong to other packages
    bool config = false;    ///< whether the file is a configuration file, which upgrades do not replace
};

/// Files of a package by path ("usr/bin/shop"), sorted, so that a folder precedes its contents.
class tree {
public:
    void file(const std::string& path, std::string content, mode_t mode = 0644);
    void copy(const std::string& path, const fs::path& source, mode_t mode = 0644);
    void link(const std::string& path, std::string target);
    void folder(const std::string& path, mode_t mode = 0755, unsigned owner = 0);
    /// Adds a file, or a folder recursively. Throws E0703 if it is missing or a special file.
    void copy_all(const std::string& path, const fs::path& source);
    /// Marks an existing file as configuration.
    void mark_config(const std::string& path) { entries_.at(path).config = true; }

    const std::map<std::string, entry>& entries() const noexcept { return entries_; }

    /// Returns the total size of all files.
    std::uintmax_t size() const;

    /// Writes the tree below `root`, which must exist.
    /// Sets modes regardless of the umask, and `epoch` as the time of each file and of `root`.
    void write(const fs::path& root, std::int64_t epoch) const;

private:
    void add(const std::string& path, entry what);

    std::map<std::string, entry> entries_;
};

/// Returns the whole content of an entry.
std::string content_of(const entry& of);

}  // namespace apus::cli::packaging
