// SPDX-License-Identifier: Apache-2.0
#include "disk/folder.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fcntl.h>

namespace apus::disk {
namespace {

std::shared_ptr<const runtime::file> open_folder(const std::string& path) {
    const int fd = ::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) throw std::system_error(errno, std::generic_category(), "the folder \"" + path + "\" cannot be served");
    return std::make_shared<const runtime::file>(fd);
}

}  // namespace

folder::folder(std::string_view path, const files_options& options)
    : root_(open_folder(std::string(path))),
      follow_(options.follow_links ? links::inside : links::none),
      precompressed_(options.precompressed),
      hidden_(options.hidden),
      list_(options.list),
      index_(options.index),
      fallback_(options.fallback),
      cache_control_(options.cache_control),
      immutable_folder_(options.immutable_folder),
      revalidate_(static_cast<std::uint64_t>(std::max<std::int64_t>(options.revalidate.milliseconds(), 0))),
      most_(std::max(options.open_files, 1U)),
      listed_(options.listed) {
    const opened self = open_below(root_->fd(), ".", follow_, patience::enough, {});
    if (!self.directory)
        throw std::system_error(self.error, std::generic_category(), "cannot serve files: openat2(2) failed");
}

std::string_view folder::cache_control(std::string_view path) const noexcept {
    const bool below = !immutable_folder_.empty() && path.starts_with(immutable_folder_) &&
                       path.substr(immutable_folder_.size()).starts_with('/');
    if (below || is_fingerprinted(path)) return "public, max-age=31536000, immutable";
    return cache_control_;
}

loaded folder::look(const std::string& path, std::uint64_t now) {
    const auto found = by_path_.find(path);
    if (found == by_path_.end()) {
        loaded fresh =
            load(root_->fd(), path, follow_, precompressed_, {{}, cache_control(path), {}}, patience::none, nullptr);
        keep(path, fresh, now);
        return fresh;
    }
    const place at = found->second;
    at->used = now;
    files_.splice(files_.begin(), files_, at);
    if (now - at->checked < revalidate_) return {at->file, 0, false};
    loaded again =
        load(root_->fd(), path, follow_, precompressed_, {{}, cache_control(path), {}}, patience::none, at->file.get());
    if (again.error == EAGAIN) {
        // While this request reads the file on another thread, concurrent requests get the previous version.
        at->checked = now;
        return again;
    }
    keep(path, again, now);
    return again;
}

void folder::keep(const std::string& path, const loaded& fresh, std::uint64_t now) {
    const auto found = by_path_.find(path);
    if (!fresh.file) {
        if (found != by_path_.end() && fresh.error != EAGAIN) drop(found->second);
        return;
    }
    if (found != by_path_.end()) {
        found->second->file = fresh.file;
        found->second->checked = now;
        return;
    }
    files_.push_front({path, fresh.file, now, now});
    by_path_.emplace(files_.front().path, files_.begin());
    drop_unused(now);
}

void folder::drop(place at) {
    by_path_.erase(at->path);
    files_.erase(at);
}

void folder::drop_unused(std::uint64_t now) {
    while (files_.size() > most_ || now - files_.back().used > kept_unused) drop(std::prev(files_.end()));
}

bool is_fingerprinted(std::string_view path) noexcept {
    constexpr std::size_t least = 8;
    const std::string_view name = path.substr(path.rfind('/') + 1);
    for (std::size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1)) {
        const std::size_t mark = name.find_last_of(".-", dot == 0 ? 0 : dot - 1);
        if (mark == name.npos || mark >= dot || dot - mark - 1 < least) continue;
        const std::string_view digits = name.substr(mark + 1, dot - mark - 1);
        const auto is_hex = [](char c) { return base::is_digit(c) || (c >= 'a' && c <= 'f'); };
        const auto numerals = static_cast<std::size_t>(std::ranges::count_if(digits, base::is_digit));
        if (std::ranges::all_of(digits, is_hex) && numerals > 0 && numerals < digits.size()) return true;
    }
    return false;
}

}  // namespace apus::disk
