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

/// A folder whose files are served, with the cache of those that are open. Of one core.
class folder {
public:
    /// Throws `std::system_error`, which names the path, if it is no folder.
    folder(std::string_view path, const files_options&);
    folder(const folder&) = delete;
    folder& operator=(const folder&) = delete;

    /// Looks without waiting for the disk: an error of EAGAIN says that it would have to be. `now`
    /// is the loop's time.
    loaded look(const std::string& path, std::uint64_t now);

    /// What finds the file whatever it takes, to be called on a thread that may wait. It owns all
    /// that it uses. What it gives is to be handed to `keep`.
    auto loading(const std::string& of) const {
        return [root = root_, follow = follow_, precompressed = precompressed_,
                control = std::string(cache_control(of)), path = of] {
            return load(root->fd(), path, follow, precompressed, {{}, control, {}}, patience::enough, nullptr);
        };
    }
    /// The same for a list of the folder's contents.
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
    std::size_t open_files() const noexcept { return by_path_.size(); }  ///< In the cache.

private:
    struct kept {
        std::string path;
        std::shared_ptr<const served_file> file;
        std::uint64_t checked;  // when it was known to be what is in the folder
        std::uint64_t used;
    };
    using place = std::list<kept>::iterator;

    std::string_view cache_control(std::string_view path) const noexcept;
    void drop(place);
    void drop_unused(std::uint64_t now);

    // milliseconds: a deleted file's room on the disk is free after that, or later
    static constexpr std::uint64_t kept_unused = 60'000;

    std::shared_ptr<const runtime::file> root_;
    links follow_;
    bool precompressed_, hidden_, list_;
    std::string index_, fallback_, cache_control_, immutable_folder_;
    std::uint64_t revalidate_;  // milliseconds
    std::size_t most_;
    unsigned listed_;
    std::list<kept> files_;                                // the last used first
    std::unordered_map<std::string_view, place> by_path_;  // views of kept::path
};

/// Whether a name holds a fingerprint of the contents, so that the contents never change: at least
/// eight lower-case hexadecimal digits, of them at least one letter and one digit, between '.' or
/// '-' and '.'.
bool is_fingerprinted(std::string_view path) noexcept;

}  // namespace apus::disk
