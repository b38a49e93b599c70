// SPDX-License-Identifier: Apache-2.0
#include "http/h2/connection.hpp"

#include <algorithm>
#include <cstring>

// Bodies of responses. The session asks how much there is for a frame, within what the client's
// windows allow, and then has it written where all of the turn's frames are.

namespace apus::http::h2 {
namespace {

constexpr std::size_t high_water = 64 * 1024;  // of a written body
constexpr std::size_t low_water = 32 * 1024;
constexpr std::size_t head_size = 9;

constexpr codec::refusal unreadable_file{500, "a file has become shorter, or cannot be read, while it is sent"};

}  // namespace

void connection::write(exchange& of, std::string_view bytes) {
    auto& x = static_cast<h2_exchange&>(of);
    bytes = bytes.substr(0, x.answer.producer().size - x.response_bytes);
    if (bytes.empty()) return;
    if (x.file_left) {
        // What is behind a part of a file waits in memory together with it.
        const std::size_t before = x.unframed.size();
        const auto size = static_cast<std::size_t>(x.file_left);
        x.unframed.resize(before + size);
        x.file_left = 0;
        if (x.file->read(x.file_at, {x.unframed.data() + before, size}) != size) x.broken = &unreadable_file;
        if (x.broken) core_.loop.later(x.attend);
    }
    if (x.unframed_at == x.unframed.size()) x.unframed.clear(), x.unframed_at = 0;
    else if (x.unframed_at >= high_water) x.unframed.erase(0, x.unframed_at), x.unframed_at = 0;
    x.unframed.append(bytes);
    x.response_bytes += bytes.size();
    settle(x);
    more_to_send(x);
}

bool connection::write_file(exchange& of, const runtime::file_ref& file, std::uint64_t at, std::uint64_t size) {
    auto& x = static_cast<h2_exchange&>(of);
    const bool follows = !x.file_left || (x.file == file && x.file_at + x.file_left == at);
    if (x.through || !follows || size > x.answer.producer().size - x.response_bytes) return false;
    if (!x.file_left) x.file = file, x.file_at = at;
    x.file_left += size;
    x.response_bytes += size;
    more_to_send(x);
    return true;
}

bool connection::write_may_go_on(exchange& of) noexcept {
    return static_cast<h2_exchange&>(of).waiting() <= high_water;
}

ssize_t connection::read_data(nghttp2_session*, std::int32_t, std::uint8_t*, std::size_t most, std::uint32_t* flags,
                              nghttp2_data_source* from, void* of) noexcept {
    return static_cast<connection*>(of)->next_data(*static_cast<h2_exchange*>(from->ptr), most, *flags);
}

ssize_t connection::next_data(h2_exchange& x, std::size_t most, std::uint32_t& flags) {
    const std::size_t there = x.waiting();
    if (!there && !x.complete) {
        x.deferred = true;
        if (x.owing) x.owing = false, --owing_;
        return NGHTTP2_ERR_DEFERRED;
    }
    const std::size_t size = std::min(most, there);
    flags |= NGHTTP2_DATA_FLAG_NO_COPY;
    if (!x.complete || size != there) return static_cast<ssize_t>(size);
    flags |= NGHTTP2_DATA_FLAG_EOF;
    if (!x.out_trailers.empty()) {
        flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
        submit_trailers(x);
    }
    return static_cast<ssize_t>(size);
}

int connection::send_data(nghttp2_session*, nghttp2_frame*, const std::uint8_t* head, std::size_t size,
                          nghttp2_data_source* from, void* of) noexcept {
    return static_cast<connection*>(of)->write_data(*static_cast<h2_exchange*>(from->ptr), head, size);
}

int connection::write_data(h2_exchange& x, const std::uint8_t* head, std::size_t size) {
    auto& arena = core_.loop.io().arena();
    char* to = arena.room(head_size + size);
    std::memcpy(to, head, head_size);
    to += head_size;
    x.out += static_cast<std::uint32_t>(size);
    std::size_t n = std::min(size, x.rest.size());
    if (n) std::memcpy(to, x.rest.data(), n);
    x.rest.remove_prefix(n);
    to += n;
    size -= n;
    n = std::min(size, x.unframed.size() - x.unframed_at);
    if (n) std::memcpy(to, x.unframed.data() + x.unframed_at, n);
    x.unframed_at += n;
    to += n;
    size -= n;
    // Only now is it known that it can be read; the frame is not yet part of the batch.
    if (size && x.file->read(x.file_at, {to, size}) != size) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    x.file_at += size;
    x.file_left -= size;
    arena.wrote(to + size);
    if (!x.waiting() && x.owing) x.owing = false, --owing_;
    if (x.writer && x.waiting() <= low_water) core_.loop.later(x.attend);
    return arena.batch().size() >= batch_most_ ? static_cast<int>(NGHTTP2_ERR_PAUSE) : 0;
}

}  // namespace apus::http::h2
