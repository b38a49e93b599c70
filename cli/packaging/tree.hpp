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

/// A file, folder or symbolic link of a package. It belongs to root, unless `owner` says otherwise.
struct entry {
    enum class kind {
        file,
        folder,
        link
    };
    kind what = kind::file;
    mode_t mode = 0644;
    std::string content{};  ///< Of a file without a `source`; what a link leads to.
    fs::path source{};      ///< Where a file's content is.
    unsigned owner = 0;     ///< User and group, in images.
    bool own = true;        ///< Whether it is the package's; folders that only lead to something are not.
    bool config = false;    ///< Upgrades leave it alone.
};

/// What a package puts into a system, by paths such as "usr/bin/shop", in order: a folder stands before what is in it.
class tree {
public:
    void file(const std::string& path, std::string content, mode_t mode = 0644);
    void copy(const std::string& path, const fs::path& source, mode_t mode = 0644);
    void link(const std::string& path, std::string target);
    void folder(const std::string& path, mode_t mode = 0755, unsigned owner = 0);
    /// A file or a folder with all in it. Throws E0703 if there is none, and for what is neither.
    void copy_all(const std::string& path, const fs::path& source);
    /// Marks a file that is there.
    void mark_config(const std::string& path) { entries_.at(path).config = true; }

    const std::map<std::string, entry>& entries() const noexcept { return entries_; }

    /// Bytes of all files.
    std::uintmax_t size() const;

    /// Writes all of it below `root`, which is there, with its modes, whatever the umask is, and with `epoch` as the
    /// time of each and of `root`.
    void write(const fs::path& root, std::int64_t epoch) const;

private:
    void add(const std::string& path, entry what);

    std::map<std::string, entry> entries_;
};

/// Whole content of an entry.
std::string content_of(const entry& of);

}  // namespace apus::cli::packaging
