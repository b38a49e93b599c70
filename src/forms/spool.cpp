// SPDX-License-Identifier: Apache-2.0
#include "forms/spool.hpp"

#include "base/temporary_folder.hpp"
#include "forms/disk_calls.hpp"

#include <apus/blocking.hpp>

#include <utility>

namespace apus::forms {
namespace {

struct written {
    runtime::file_ref file;
    std::string buffer;  // returned to reuse its memory
};

result<written> write_to(runtime::file_ref file, std::string buffer, std::uint64_t at, std::string_view folder) {
    if (!file) {
        const auto fd = open_temporary(folder.empty() ? base::temporary_folder() : std::string(folder));
        if (!fd) return std::unexpected(fd.error());
        file = std::make_shared<const runtime::file>(*fd);
    }
    if (auto all = write_all(file->fd(), buffer, at); !all) return std::unexpected(all.error());
    buffer.clear();
    return written{std::move(file), std::move(buffer)};
}

}  // namespace

task<> spool::write() {
    const std::uint64_t at = size_ - buffer_.size();
    auto work = [file = file_, buffer = std::move(buffer_), at, folder = folder_]() mutable {
        return write_to(std::move(file), std::move(buffer), at, folder);
    };
    blocking waiting(owning(std::move(work)));
    written done = co_await waiting;
    file_ = std::move(done.file);
    buffer_ = std::move(done.buffer);
}

file_data spool::take() noexcept {
    std::string bytes;
    if (!file_) bytes = std::move(buffer_);  // otherwise its memory is reused for the next file
    file_data all{std::exchange(size_, 0), std::move(bytes), std::exchange(file_, nullptr)};
    buffer_.clear();
    return all;
}

}  // namespace apus::forms
