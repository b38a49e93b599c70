// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk/listing.hpp"
#include "disk/served_file.hpp"

#include <apus/files.hpp>

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace apus::disk {

/// A served folder with a cache of open files. Used by one core only.
class folder {
public:
    /// Throws `std::system_error` with the path if `path` is not a folder.
    folder(std::string_view path, const files_options&);
    folder(const folder&) = delete;
    folder& operator=(const folder&) = delete;

    /// Looks up a file without blocking. Fails with EAGAIN if the disk would have to be read.
    /// `now` is in milliseconds of the loop.
    loaded look(const std::string& path, std::uint64_t now);

    /// Returns a function that finds the file, to be called on a thread that may block.
    /// The function owns everything it uses. Pass its result to `keep`.
    auto loading(const std::string& of) const {
        return [root = root_, follow = follow_, precompressed = precompressed_,
                control = std::string(cache_control(of)), path = of] {
            return load(root->fd(), path, follow, precompressed, {{}, control, {}}, patience::enough, nullptr);
        };
    }
    /// Returns a function that lists the folder's contents.
    /// Call the function on a thread that may block.
    auto listing_of(std::string path) const {
        return [root = root_, follow = follow_, hidden = hidden_, most = listed_, of = std::move(path)] {
            return list_folder(root->fd(), of, follow, hidden, most);
        };
    }
    void keep(const std::string& path, const loaded&, std::uint64_t now);

    const std::string& index() const noexcept { return index_; }
    const std::string& fallback() const noexcept { return fallback_; }
    bool lists() const noexcept { return list_ && fallback_.empty(); }
    bool hidden() const noexcept { return hidden_; }
    std::size_t open_files() const noexcept { return by_path_.size(); }  ///< Number of cached files.

private:
    struct kept {
        std::string path;
        std::shared_ptr<const served_file> file;
        std::uint64_t checked;  // time of the last check that the folder still has this file
        std::uint64_t used;
    };
    using place = std::list<kept>::iterator;

    std::string_view cache_control(std::string_view path) const noexcept;
    void drop(place);
    void drop_unused(std::uint64_t now);

    // in milliseconds; a deleted file occupies disk space until the cache closes it
    static constexpr std::uint64_t kept_unused = 60'000;

    std::shared_ptr<const runtime::file> root_;
    links follow_;
    bool precompressed_, hidden_, list_;
    std::string index_, fallback_, cache_control_, immutable_folder_;
    std::uint64_t revalidate_;  // milliseconds
    std::size_t most_;
    unsigned listed_;
    std::list<kept> files_;                                // most recently used first
    std::unordered_map<std::string_view, place> by_path_;  // views of kept::path
};

/// Whether a name contains a fingerprint, which means that the file's content never changes.
/// A fingerprint has at least eight lower-case hexadecimal digits, including a letter and a digit, between '.' or '-'
/// and '.'.
bool is_fingerprinted(std::string_view path) noexcept;

}  // namespace apus::disk
