// SPDX-License-Identifier: Apache-2.0
#include <apus/uploaded_file.hpp>

#include "forms/disk_calls.hpp"
#include "forms/file_parts.hpp"

#include <apus/blocking.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace apus {
namespace {

using forms::file_data;

const std::shared_ptr<const file_data>& nothing() {
    static const auto none = std::make_shared<const file_data>();
    return none;
}

result<void> save(const file_data& data, const std::string& path, existing_file then) {
    if (path.find('\0') != path.npos) return fail(500, "the file cannot be saved");
    if (!data.file) return forms::save_copy(data.bytes, -1, path, then);
    forms::show_to_others(data.file->fd());
    const auto linked = forms::link_open(data.file->fd(), path, then);
    if (!linked) return std::unexpected(linked.error());
    return *linked ? result<void>() : forms::save_copy({}, data.file->fd(), path, then);
}

}  // namespace

void uploaded_file::drop() noexcept { delete parts_; }

std::string_view uploaded_file::client_name() const noexcept {
    return parts_ ? std::string_view(parts_->client_name) : std::string_view();
}
std::string_view uploaded_file::media_type() const noexcept {
    return parts_ ? std::string_view(parts_->media_type) : std::string_view();
}
std::uint64_t uploaded_file::size() const noexcept { return parts_ ? parts_->data->size : 0; }
bool uploaded_file::in_memory() const noexcept { return !parts_ || !parts_->data->file; }

std::string uploaded_file::base_name() const {
    std::string_view last = client_name();
    if (const auto mark = last.find_last_of("/\\"); mark != last.npos) last.remove_prefix(mark + 1);
    std::string name;
    for (const char c : last)
        if (static_cast<unsigned char>(c) >= ' ' && c != '\x7f') name += c;
    return name.empty() || name == "." || name == ".." ? "file" : name;
}

std::string_view uploaded_file::bytes() const {
    if (!in_memory())
        throw std::logic_error(
            "uploaded_file::bytes: the file is not in memory; check in_memory() first, or use read()");
    return parts_ ? std::string_view(parts_->data->bytes) : std::string_view();
}

task<std::string> uploaded_file::read(std::uint64_t from, std::size_t most) const {
    if (from >= size()) co_return std::string();
    most = static_cast<std::size_t>(std::min<std::uint64_t>(most, size() - from));
    if (in_memory()) co_return std::string(bytes().substr(static_cast<std::size_t>(from), most));
    auto work = [data = parts_->data, from, most] { return forms::read_some(data->file->fd(), from, most); };
    blocking waiting(owning(std::move(work)));
    std::string some = co_await waiting;
    co_return some;
}

task<> uploaded_file::save_to(std::string path, existing_file then) const {
    auto work = [data = parts_ ? parts_->data : nothing(), path = std::move(path), then] {
        return save(*data, path, then);
    };
    blocking waiting(owning(std::move(work)));
    co_await waiting;
}

}  // namespace apus
