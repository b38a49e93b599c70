// SPDX-License-Identifier: Apache-2.0
#include "runtime/outgoing.hpp"

#include <utility>

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
        if (n == pieces) break;
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
    while (!segments_.empty() && sent >= segments_.front().bytes.size()) {
        sent -= segments_.front().bytes.size();
        segments_.pop_front();
    }
    if (sent) segments_.front().bytes.remove_prefix(sent);
}

}  // namespace apus::runtime
