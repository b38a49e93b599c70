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

// What a backend does where a record layer makes of the socket's bytes others: the same for both kinds.

namespace apus::runtime {

stream::stream(int fd) noexcept : fd_(fd) {}
stream::~stream() = default;

void stream::secure_by(std::unique_ptr<record_layer> layer) noexcept {
    layer_ = std::move(layer);
    layer_->of_ = this;
}

std::size_t stream::unsealed() const noexcept { return layer_->unsealed(); }
std::size_t stream::unsealed_memory() const noexcept { return layer_->waiting_ ? layer_->waiting_->memory() : 0; }

/// Sealed where the next batch begins, so that it is sent from there.
struct backend::to_arena final : record_output {
    explicit to_arena(output_arena& a) noexcept : arena(a) { arena.begin(); }
    void append(std::string_view sealed) override {
        char* to = arena.room(sealed.size());
        std::memcpy(to, sealed.data(), sealed.size());
        arena.wrote(to + sealed.size());
    }
    output_arena& arena;
};

/// Sealed at the end of what the socket is to get.
struct backend::to_queue final : record_output {
    explicit to_queue(stream& s) noexcept : to(s.out_) {}
    void append(std::string_view sealed) override {
        if (!to) to = std::make_unique<outgoing>();
        to->append(sealed);
    }
    std::unique_ptr<outgoing>& to;
};

std::span<char> backend::room_for_opened(const stream& s) {
    const bool bulk = s.intake_ == intake::in_bulk;
    buffer_lease& into = bulk ? opened_bulk_ : opened_small_;
    // Also those who keep none get no more than this: sealed bytes come in pieces of that size.
    if (!into.bytes && bulk) into = {static_cast<char*>(::operator new(kept_bulk_size)), kept_bulk_size};
    else if (!into.bytes) into = {buffers_.take(), buffer_pool::buffer_size};
    return {into.bytes, into.capacity};
}

void backend::deliver_opened(stream& first, std::string_view sealed) {
    record_layer& layer = *first.layer_;
    while (true) {
        stream& s = *layer.of_;
        if (s.closing_ || s.ended_) break;
        if (!layer.begun_ && !sealed.empty()) begin_handshake(s);
        const std::span<char> room = room_for_opened(s);
        to_queue answers(s);
        const std::size_t size = layer.open(sealed, room, answers);
        if (s.out_) mark_dirty(s);
        if (!layer.greeted_ && layer.now() == record_layer::state::secure) {
            layer.greeted_ = true;
            layer.unlink();
            if (layer.waiting_) mark_dirty(s);
            s.secured();
            if (s.closing_) break;
        }
        if (size) {
            buffer_lease& from = room.data() == opened_bulk_.bytes ? opened_bulk_ : opened_small_;
            current_ = from;
            kept_ = false;
            s.received({room.data(), size});
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
    kept_ = false;  // what the socket's bytes are in was not
}

// A flood of handshakes that are begun and left holds places until their deadlines. Those that have had
// most time give way: a client that goes on needs a small part of the time that a flood needs to come round.
void backend::begin_handshake(stream& s) {
    record_layer& layer = *s.layer_;
    layer.begun_ = true;
    const auto admitted = layer.begin();
    if (admitted == record_layer::admission::uncounted) return;
    handshake_link* const oldest = handshakes_.next;
    layer.append_to(handshakes_);
    s.handshake_begun();
    if (admitted != record_layer::admission::crowded || oldest == &handshakes_) return;
    oldest->unlink();
    stream& gives_way = *static_cast<record_layer*>(oldest)->of_;
    pause(gives_way);
    end(gives_way, EBUSY);
}

void backend::greet(stream& s) { deliver_opened(s, {}); }

// Whoever is told ends the connection at once: what the peer is to know of it must go before.
void backend::layer_failed(stream& s) {
    if (s.out_ && !s.flushing_ && !unsettled(s)) s.out_->send_front(s.fd_, share_most);
    if (!s.flushing_) s.out_.reset();
    s.layer_->waiting_.reset();
    s.layer_->unlink();
    pause(s);
    end(s, EPROTO);
}

void backend::send_sealed(stream& s, std::string_view batch, after then) {
    if (s.closing_) return;
    record_layer& layer = *s.layer_;
    if (s.unsent() || s.flushing_ || s.dirty_ || unsettled(s) || layer.now() != record_layer::state::secure) {
        queue(s, batch);
        if (then != after::go_on) finish(s, then);
        return;
    }
    to_arena out(arena_);
    if (!layer.seal(batch, out)) return layer_failed(s);
    if (then != after::go_on) layer.end(out);
    send_bytes(s, arena_.batch(), then);
}

// Moves what waits to what the socket gets, as much as goes at once. Whether it has something to get.
bool backend::seal_waiting(stream& s) {
    constexpr std::size_t most = 128 * 1024, piece = 64 * 1024;
    const std::size_t at_once = std::clamp(share_of(s), share_least, most);
    record_layer& layer = *s.layer_;
    if (layer.now() == record_layer::state::secure) {
        to_queue out(s);
        while (layer.waiting_ && (!s.out_ || s.out_->size() < at_once)) {
            if (!gathered_.bytes) gathered_ = {static_cast<char*>(::operator new(piece)), piece};
            const std::string_view bytes =
                layer.waiting_->gather({gathered_.bytes, std::min(gathered_.capacity, at_once)});
            if (bytes.empty()) {
                s.ended_ = true;
                s.ended(EIO);
                return false;
            }
            if (!layer.seal(bytes, out)) return layer_failed(s), false;
            layer.waiting_->consume(bytes.size());
            if (layer.waiting_->empty()) layer.waiting_.reset();
        }
        if (!layer.waiting_ && layer.then_ != after::go_on) {
            layer.end(out);
            s.then_ = std::exchange(layer.then_, after::go_on);
        }
    }
    return s.out_ && !s.out_->empty();
}

// An end without a notice would look cut off (RFC 8446, 6.1). Not from the arena: somebody may be
// writing a batch there.
void backend::say_end(stream& s) {
    struct : record_output {
        void append(std::string_view sealed) override { notice += sealed; }
        std::string notice;
    } out;
    if (s.closing_ || s.unsent() || s.flushing_ || unsettled(s) || s.layer_->now() != record_layer::state::secure)
        return;
    s.layer_->end(out);
    if (!out.notice.empty()) send_to(s.fd_, out.notice.data(), out.notice.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace apus::runtime
