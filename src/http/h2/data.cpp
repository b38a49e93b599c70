// SPDX-License-Identifier: Apache-2.0
#include "http/h2/protocol.hpp"

#include <algorithm>
#include <cstring>

// Response bodies. DATA frames are written into the batch of the current event loop iteration, within the client's
// flow-control windows.

namespace apus::http::h2 {

using namespace codec::http2;

namespace {

constexpr std::size_t high_water = 64 * 1024;  // unsent bytes of a streamed body
constexpr std::size_t low_water = 32 * 1024;

constexpr codec::refusal unreadable_file{500, "a file was truncated or became unreadable while it was sent"};

}  // namespace

void protocol::write(exchange& of, std::string_view bytes) {
    auto& x = static_cast<h2_exchange&>(of);
    bytes = bytes.substr(0, x.answer.producer().size - x.response_bytes);
    if (bytes.empty()) return;
    if (x.file_left) {
        // Bytes follow a queued range of a file: reads the range into memory, so that the bytes can be appended.
        const std::size_t before = x.unframed.size();
        const auto size = static_cast<std::size_t>(x.file_left);
        x.unframed.resize(before + size);
        x.file_left = 0;
        if (x.file->read(x.file_at, {x.unframed.data() + before, size}) != size) x.broken = &unreadable_file;
        if (x.broken) core_.loop.later(x.resume_later);
    }
    if (x.unframed_at == x.unframed.size()) x.unframed.clear(), x.unframed_at = 0;
    else if (x.unframed_at >= high_water) x.unframed.erase(0, x.unframed_at), x.unframed_at = 0;
    x.unframed.append(bytes);
    x.response_bytes += bytes.size();
    settle(x);
    more_to_send(x);
}

bool protocol::write_file(exchange& of, const runtime::file_ref& file, std::uint64_t at, std::uint64_t size) {
    auto& x = static_cast<h2_exchange&>(of);
    const bool follows = !x.file_left || (x.file == file && x.file_at + x.file_left == at);
    if (x.out_filter || !follows || size > x.answer.producer().size - x.response_bytes) return false;
    if (!x.file_left) x.file = file, x.file_at = at;
    x.file_left += size;
    x.response_bytes += size;
    more_to_send(x);
    return true;
}

bool protocol::can_write(exchange& of) noexcept { return static_cast<h2_exchange&>(of).waiting() <= high_water; }

// Writes a whole body directly after its head, if the body fits into one frame and the flow-control windows, and no
// other body is queued. Most bodies are sent in this way. Returns true if the body was written.
bool protocol::send_small(h2_exchange& x) {
    constexpr std::size_t small = 4096;
    const std::size_t size = x.rest.size();
    const auto window = static_cast<std::size_t>(std::max(0, std::min(send_window_, x.send_window)));
    if (size > small || size > window || !sending_.empty() || unsent_exchanges_ || out_.size() >= max_batch_bytes)
        return false;
    char* to = output().room(frame_head_size + size);
    to = write_frame_head(to, {static_cast<std::uint32_t>(size), frame_type::data, flag_end_stream, x.stream});
    std::memcpy(to, x.rest.data(), size);
    out_.wrote(to + size);
    send_window_ -= static_cast<std::int32_t>(size);
    x.send_window -= static_cast<std::int32_t>(size);
    x.rest = {};
    sent_all(x);
    return true;
}

// Queues the stream if body bytes are unsent and its flow-control window is not empty, or if only END_STREAM is unsent.
void protocol::enqueue(h2_exchange& x) {
    if (!x.sends_body) return;
    const bool waits = x.waiting() != 0;
    if (waits && !x.has_unsent_data) x.has_unsent_data = output_unwatched_ = true, ++unsent_exchanges_;
    if (waits ? x.send_window > 0 : x.at == stage::complete) sending_.add(x);
}

bool protocol::may_send_data() const noexcept {
    return !sending_.empty() && (send_window_ > 0 || !sending_.front().waiting());
}

// Writes one frame of the next stream. Returns false if no frame may be sent.
bool protocol::send_data(runtime::output_arena& to) {
    if (!may_send_data()) return false;
    h2_exchange& x = sending_.front();
    const std::size_t there = x.waiting();
    const auto window = static_cast<std::size_t>(std::max(0, std::min(send_window_, x.send_window)));
    const std::size_t size = std::min({there, window, std::size_t{default_frame_size}});
    if (!size && (there || x.at != stage::complete)) return sending_.remove(x), true;
    return write_data(x, to, size), true;
}

void protocol::write_data(h2_exchange& x, runtime::output_arena& arena, std::size_t size) {
    char* const head = arena.room(frame_head_size + size);
    if (!copy_body(x, head + frame_head_size, size)) return reset(x, error_code::internal_error);
    const bool last = x.at == stage::complete && !x.waiting();
    const bool has_trailers = last && !x.out_trailers().empty();
    const std::uint8_t flags = last && !has_trailers ? flag_end_stream : flag_none;
    if (size || flags) {
        write_frame_head(head, {static_cast<std::uint32_t>(size), frame_type::data, flags, x.stream});
        arena.wrote(head + frame_head_size + size);
    }
    x.out += static_cast<std::uint32_t>(size);
    x.send_window -= static_cast<std::int32_t>(size);
    send_window_ -= static_cast<std::int32_t>(size);
    if (has_trailers) write_trailers(x, arena);
    const bool more = x.waiting() != 0;
    if (!more && x.has_unsent_data) x.has_unsent_data = false, --unsent_exchanges_;
    if (x.writer && x.waiting() <= low_water) core_.loop.later(x.resume_later);
    if (!more || x.send_window <= 0) sending_.remove(x);
    else if (x.order.incremental) sending_.move_back(x);
    if (!last) return;
    x.sends_body = false;
    sent_all(x);
}

// Copies the next `size` bytes of the body, which must have at least `size` unsent bytes. Returns false if a file
// cannot be read.
bool protocol::copy_body(h2_exchange& x, char* to, std::size_t size) {
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
    if (size && x.file->read(x.file_at, {to, size}) != size) return false;
    x.file_at += size;
    x.file_left -= size;
    return true;
}

}  // namespace apus::http::h2
