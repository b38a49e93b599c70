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

void outgoing::append(std::string_view bytes) {
    if (segments_.empty() || segments_.back().sealed || segments_.back().owned.size() + bytes.size() > joined) {
        segments_.emplace_back();
        segments_.back().sealed = false;
    }
    segment& last = segments_.back();
    auto skipped = static_cast<std::size_t>(last.bytes.data() - last.owned.data());
    if (last.bytes.empty()) skipped = 0;
    last.owned.append(bytes);
    last.bytes = std::string_view(last.owned).substr(skipped);
    size_ += bytes.size();
}

void outgoing::append(std::string&& bytes) {
    segments_.emplace_back();
    segment& last = segments_.back();
    last.owned = std::move(bytes);
    last.bytes = last.owned;
    last.sealed = true;
    size_ += last.bytes.size();
}

void outgoing::append_static(std::string_view bytes) {
    segments_.push_back({{}, bytes, true});
    size_ += bytes.size();
}

void outgoing::append_file(file_ref file, std::uint64_t at, std::uint64_t size) {
    segments_.push_back({{}, {}, true, std::move(file), at, size});
    size_ += size;
    ++files_;
}

void outgoing::prepend(std::string_view bytes) {
    segments_.emplace_front();
    segment& first = segments_.front();
    first.owned = bytes;
    first.bytes = first.owned;
    first.sealed = true;
    size_ += bytes.size();
}

msghdr& outgoing::front() noexcept {
    std::size_t n = 0;
    for (auto& s : segments_) {
        if (n == pieces || s.file) break;
        s.sealed = true;  // appending could move what the kernel reads
        vectors_[n++] = {const_cast<char*>(s.bytes.data()), s.bytes.size()};
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
        if (segments_.front().file) --files_;
        segments_.pop_front();
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

ssize_t outgoing::send_front(int socket) noexcept {
    constexpr std::uint64_t at_once = 1024 * 1024;  // so that one file does not keep others waiting
    const segment& first = segments_.front();
    if (!first.file) {
        // A head goes into one packet with the beginning of its file.
        const int more = holds_file() ? MSG_MORE : 0;
        return sendmsg(socket, &front(), MSG_NOSIGNAL | MSG_DONTWAIT | more);
    }
    auto from = static_cast<off_t>(first.at);
    const ssize_t n = sendfile(socket, first.file->fd(), &from, std::min(first.left, at_once));
    if (n == 0) return errno = EIO, -1;
    return n;
}

}  // namespace apus::runtime
