// SPDX-License-Identifier: Apache-2.0
#include "runtime/outgoing.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <sys/sendfile.h>

namespace apus::runtime {
namespace {

constexpr std::size_t joined = 64 * 1024;  // small pieces are joined up to this size

}  // namespace

outgoing::segment& outgoing::add(segment s) {
    memory_ += sizeof(segment) + s.owned.capacity();
    segment& last = segments_.emplace_back(std::move(s));
    if (!last.owned.empty()) last.bytes = last.owned;
    size_ += last.size();
    return last;
}

void outgoing::drop_first() noexcept {
    const segment& first = segments_.front();
    memory_ -= sizeof(segment) + first.owned.capacity();
    if (first.file) --files_;
    segments_.pop_front();
}

void outgoing::append(std::string_view bytes) {
    if (segments_.empty() || segments_.back().sealed || segments_.back().owned.size() + bytes.size() > joined)
        add({{}, {}, false});
    segment& last = segments_.back();
    const std::size_t room = last.owned.capacity();
    auto skipped = static_cast<std::size_t>(last.bytes.data() - last.owned.data());
    if (last.bytes.empty()) skipped = 0;
    last.owned.append(bytes);
    last.bytes = std::string_view(last.owned).substr(skipped);
    memory_ += last.owned.capacity() - room;
    size_ += bytes.size();
}

void outgoing::append(std::string&& bytes) { add({std::move(bytes), {}, true}); }

void outgoing::append_static(std::string_view bytes) { add({{}, bytes, true}); }

void outgoing::append_file(file_ref file, std::uint64_t at, std::uint64_t size) {
    add({{}, {}, true, std::move(file), at, size});
    ++files_;
}

void outgoing::prepend(std::string_view bytes) {
    segments_.emplace_front();
    segment& first = segments_.front();
    first.owned = bytes;
    first.bytes = first.owned;
    first.sealed = true;
    size_ += bytes.size();
    memory_ += sizeof(segment) + first.owned.capacity();
}

msghdr& outgoing::front(std::size_t most) noexcept {
    std::size_t n = 0;
    for (auto& s : segments_) {
        if (n == pieces || s.file || most == 0) break;
        s.sealed = true;  // appending could reallocate memory that the kernel is reading
        const std::size_t size = std::min(s.bytes.size(), most);
        vectors_[n++] = {const_cast<char*>(s.bytes.data()), size};
        most -= size;
    }
    header_ = {};
    header_.msg_iov = vectors_;
    header_.msg_iovlen = n;
    return header_;
}

void outgoing::consume(std::size_t sent) noexcept {
    size_ -= sent;
    while (!segments_.empty() && sent >= segments_.front().size()) {
        sent -= segments_.front().size();
        drop_first();
    }
    if (!sent) return;
    segment& first = segments_.front();
    if (first.file) first.at += sent, first.left -= sent;
    else first.bytes.remove_prefix(sent);
}

std::string_view outgoing::gather(std::span<char> room) noexcept {
    const segment& first = segments_.front();
    if (!first.file && first.bytes.size() >= room.size()) return first.bytes.substr(0, room.size());
    std::size_t size = 0;
    for (const segment& s : segments_) {
        const std::span<char> left = room.subspan(size);
        if (left.empty()) break;
        if (!s.file) {
            size += s.bytes.copy(left.data(), left.size());
            continue;
        }
        const std::size_t wanted = std::min<std::uint64_t>(s.left, left.size());
        const std::size_t there = s.file->read(s.at, left.first(wanted));
        size += there;
        if (there != wanted) break;
    }
    return {room.data(), size};
}

ssize_t outgoing::send_front(int socket, std::size_t most) noexcept {
    const segment& first = segments_.front();
    if (!first.file) {
        // MSG_MORE: sends a response head in one segment with the beginning of its file.
        const int more = holds_file() ? MSG_MORE : 0;
        return sendmsg(socket, &front(most), MSG_NOSIGNAL | MSG_DONTWAIT | more);
    }
    auto from = static_cast<off_t>(first.at);
    const ssize_t n = sendfile(socket, first.file->fd(), &from, std::min<std::uint64_t>(first.left, most));
    if (n == 0) return errno = EIO, -1;
    return n;
}

}  // namespace apus::runtime
