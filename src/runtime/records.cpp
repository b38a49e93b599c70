// SPDX-License-Identifier: Apache-2.0
#include "runtime/record_layer.hpp"

#include "runtime/backend.hpp"
#include "runtime/socket_calls.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include <sys/socket.h>

// Support for record layers, common to both backends.

namespace apus::runtime {

socket::socket(int fd, receiver* first) noexcept : receiver_(first), fd_(fd) {}
socket::~socket() = default;

void socket::set_record_layer(std::unique_ptr<record_layer> layer, std::size_t earlier) noexcept {
    layer_ = std::move(layer);
    layer_->of_ = this;
    layer_->received_ = static_cast<std::uint32_t>(earlier);
}

std::size_t socket::unsealed() const noexcept { return layer_->unsealed(); }
std::size_t socket::unsealed_memory() const noexcept { return layer_->memory(); }

/// Writes encrypted bytes into the next batch of the arena.
struct backend::arena_output final : record_output {
    explicit arena_output(output_arena& a) noexcept : arena(a) { arena.begin(); }
    void append(std::string_view sealed) override {
        char* to = arena.room(sealed.size());
        std::memcpy(to, sealed.data(), sealed.size());
        arena.wrote(to + sealed.size());
    }
    output_arena& arena;
};

/// Appends encrypted bytes to the socket's queue.
struct backend::queue_output final : record_output {
    explicit queue_output(socket& s) noexcept : to(s.out_) {}
    void append(std::string_view sealed) override {
        if (!to) to = std::make_unique<outgoing>();
        to->append(sealed);
    }
    std::unique_ptr<outgoing>& to;
};

std::span<char> backend::room_for_opened(const socket& s) {
    const bool bulk = s.mode_ == receive_mode::bulk;
    buffer_lease& into = bulk ? opened_bulk_ : opened_small_;
    // Bulk receivers always get the smaller size, because decrypted bytes arrive in pieces of at most this size.
    if (!into.bytes && bulk) into = {static_cast<char*>(::operator new(kept_bulk_size)), kept_bulk_size};
    else if (!into.bytes) into = {buffers_.take(), buffer_pool::buffer_size};
    return {into.bytes, into.capacity};
}

void backend::deliver_records(socket& s, std::string_view sealed) {
    s.layer_->received_ += static_cast<std::uint32_t>(sealed.size());
    deliver_opened(s, sealed);
}

void backend::deliver_opened(socket& s, std::string_view sealed) {
    record_layer& layer = *s.layer_;
    while (true) {
        if (s.closing_ || s.ended_) break;
        if (!layer.begun_ && !sealed.empty()) {
            if (handshakes_left_ == 0 || has_postponed()) return postpone_handshake(s, sealed);
            begin_handshake(s);
        }
        const std::span<char> room = room_for_opened(s);
        queue_output answers(s);
        const std::size_t size = layer.open(sealed, room, answers);
        if (s.out_) mark_dirty(s);
        if (!layer.handshake_done_ && layer.now() == record_layer::state::secure) {
            layer.handshake_done_ = true;
            layer.unlink();
            if (layer.waiting_) mark_dirty(s);
            s.receiver_->secured();
            if (s.closing_) break;
        }
        if (size) {
            buffer_lease& from = room.data() == opened_bulk_.bytes ? opened_bulk_ : opened_small_;
            current_ = from;
            kept_ = false;
            s.receiver_->received({room.data(), size});
            if (kept_) from = {};
        } else if (layer.now() == record_layer::state::failed) {
            layer_failed(s);
        } else if (layer.peer_ended()) {
            pause(s);
            end(s, 0);
        } else {
            break;
        }
    }
    kept_ = false;  // the receiver has kept the buffer of decrypted bytes, not that of the caller
}

// If too many handshakes are in progress, the oldest handshake is ended. Otherwise a flood of abandoned handshakes
// would block new handshakes until the abandoned handshakes time out. A legitimate client completes its handshake long
// before a flood makes this handshake the oldest.
void backend::begin_handshake(socket& s) {
    record_layer& layer = *s.layer_;
    --handshakes_left_;
    layer.begun_ = true;
    const auto admitted = layer.begin();
    if (admitted == record_layer::admission::uncounted) return;
    handshake_link* const oldest = handshakes_.next;
    layer.append_to(handshakes_);
    s.receiver_->handshake_begun();
    if (admitted != record_layer::admission::crowded || oldest == &handshakes_) return;
    oldest->unlink();
    socket& gives_way = *static_cast<record_layer*>(oldest)->of_;
    pause(gives_way);
    end(gives_way, EBUSY);
}

// Handshakes that arrive together are spread over several turns, because each takes up to a millisecond and much
// memory. Other clients are served, and connections are evicted, only between turns.
void backend::postpone_handshake(socket& s, std::string_view sealed) {
    record_layer& layer = *s.layer_;
    kept_ = false;
    const std::size_t before = layer.unopened_ ? layer.unopened_->size() : 0;
    if (before + sealed.size() > max_unopened || unopened_ + sealed.size() > max_unopened_together) {
        drop_unopened(layer);
        pause(s);
        return end(s, EBUSY);
    }
    if (layer.unopened_) {
        layer.unopened_->append(sealed);
    } else {
        layer.unopened_ = std::make_unique<std::string>(sealed);
        layer.append_to(postponed_);
    }
    unopened_ += sealed.size();
}

void backend::begin_postponed() {
    while (handshakes_left_ != 0 && postponed_.next != &postponed_) {
        auto& layer = static_cast<record_layer&>(*postponed_.next);
        const std::string hello = drop_unopened(layer);
        if (layer.of_->closing_ || layer.of_->ended_) continue;
        begin_handshake(*layer.of_);
        deliver_opened(*layer.of_, hello);
    }
}

std::string backend::drop_unopened(record_layer& layer) noexcept {
    if (!layer.unopened_) return {};
    layer.unlink();
    const auto dropped = std::exchange(layer.unopened_, nullptr);
    unopened_ -= dropped->size();
    return std::move(*dropped);
}

void backend::start_handshake(socket& s) { deliver_opened(s, {}); }

// Sends the alert before `end`, because the receiver then closes the connection at once.
void backend::layer_failed(socket& s) {
    if (s.out_ && !s.flushing_ && !unsettled(s)) s.out_->send_front(s.fd_, max_share_bytes);
    if (!s.flushing_) s.out_.reset();
    s.layer_->waiting_.reset();
    s.layer_->unlink();
    pause(s);
    end(s, EPROTO);
}

void backend::send_sealed(socket& s, std::string_view batch, after then) {
    if (s.closing_) return;
    record_layer& layer = *s.layer_;
    if (s.unsent() || s.flushing_ || s.dirty_ || unsettled(s) || layer.now() != record_layer::state::secure) {
        queue(s, batch);
        if (then != after::keep_open) finish(s, then);
        return;
    }
    arena_output out(arena_);
    if (!layer.seal(batch, out)) return layer_failed(s);
    if (then != after::keep_open) layer.end(out);
    send_bytes(s, arena_.batch(), then);
}

// Encrypts waiting output into the socket's queue, up to the socket's share. Returns true if the queue is not empty.
bool backend::seal_waiting(socket& s) {
    constexpr std::size_t most = 128 * 1024, piece = 64 * 1024;
    const std::size_t at_once = std::clamp(share_of(s), min_share_bytes, most);
    record_layer& layer = *s.layer_;
    if (layer.now() == record_layer::state::secure) {
        queue_output out(s);
        while (layer.waiting_ && (!s.out_ || s.out_->size() < at_once)) {
            if (!gathered_.bytes) gathered_ = {static_cast<char*>(::operator new(piece)), piece};
            const std::string_view bytes =
                layer.waiting_->gather({gathered_.bytes, std::min(gathered_.capacity, at_once)});
            if (bytes.empty()) {
                s.ended_ = true;
                s.receiver_->ended(EIO);
                return false;
            }
            if (!layer.seal(bytes, out)) return layer_failed(s), false;
            layer.waiting_->consume(bytes.size());
            if (layer.waiting_->empty()) layer.waiting_.reset();
        }
        if (!layer.waiting_ && layer.then_ != after::keep_open) {
            layer.end(out);
            s.then_ = std::exchange(layer.then_, after::keep_open);
        }
    }
    return s.out_ && !s.out_->empty();
}

// Sends close_notify, because the peer must otherwise assume truncation (RFC 8446, 6.1). Does not use the arena, where
// a batch may be in progress.
void backend::send_close_notify(socket& s) {
    struct : record_output {
        void append(std::string_view sealed) override { notice += sealed; }
        std::string notice;
    } out;
    if (s.closing_ || s.unsent() || s.flushing_ || unsettled(s) || s.layer_->now() != record_layer::state::secure)
        return;
    s.layer_->end(out);
    if (out.notice.empty()) return;
    const ssize_t n = send_to(s.fd_, out.notice.data(), out.notice.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n <= 0) return;
    count_sent(s, static_cast<std::size_t>(n));
    s.layer_->sent_ += static_cast<std::uint32_t>(n);
}

}  // namespace apus::runtime
