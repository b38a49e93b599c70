// SPDX-License-Identifier: Apache-2.0

// The minimum cost of io_uring: one io_uring_enter submits all responses and waits for the next events.
#include "buffers.hpp"
#include "../limit-epoll/requests.hpp"

#include <cerrno>
#include <memory>

namespace limit {
namespace {

enum class did : std::uint32_t {
    accepting,
    receiving,
    other,  // completes only on failure; the next receive operation reports the failure too
};

// Requests are received into small buffers. A connection that uploads a body switches to large ones, since each filled
// buffer causes a completion.
constexpr std::uint16_t small_group = 1;
constexpr std::uint16_t large_group = 2;
constexpr unsigned first_large = 1 << 15;  // a completion names the buffer but not its group

struct connection {
    progress input;
    std::uint16_t group = small_group;
    bool ending = false;                    // closed as soon as its receive operation has stopped
    bool met = false;                       // has received before
    std::unique_ptr<std::string> uploaded;  // response to an upload, until it is sent
};

io_uring new_ring() {
    io_uring ring;
    io_uring_params how{};
    how.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_SUBMIT_ALL | IORING_SETUP_CQSIZE;
    how.cq_entries = 16384;
    if (int error = io_uring_queue_init_params(2048, &ring, &how)) give_up("io_uring_queue_init_params", -error);
    io_uring_register_ring_fd(&ring);
    return ring;
}

struct loop {
    int listener;
    io_uring ring = new_ring();
    buffers small{ring, {.group = small_group, .first_id = 0, .count = 4096, .size = 2 << 10}};
    buffers large{ring, {.group = large_group, .first_id = first_large, .count = 64, .size = 64 << 10}};
    answers said{};
    std::vector<connection> connections{};
};

std::uint64_t label(did what, int descriptor) { return std::uint64_t(what) << 32 | unsigned(descriptor); }

io_uring_sqe* next_entry(io_uring& ring) {
    for (;;) {
        if (auto* entry = io_uring_get_sqe(&ring)) return entry;
        io_uring_submit(&ring);
    }
}

/// Suppresses the completion of an entry if it succeeds.
void forget(io_uring_sqe* entry, int descriptor) {
    entry->flags |= IOSQE_CQE_SKIP_SUCCESS;
    entry->user_data = label(did::other, descriptor);
}

void start_accepting(loop& in) {
    auto* entry = next_entry(in.ring);
    io_uring_prep_multishot_accept(entry, in.listener, nullptr, nullptr, 0);
    entry->user_data = label(did::accepting, in.listener);
}

/// Begins with a single receive: if the connection has only one request, it can be closed without cancelling a
/// multishot receive.
void start_receiving(loop& in, int descriptor) {
    auto* entry = next_entry(in.ring);
    auto& of = in.connections[std::size_t(descriptor)];
    if (of.met) io_uring_prep_recv_multishot(entry, descriptor, nullptr, 0, 0);
    else io_uring_prep_recv(entry, descriptor, nullptr, 0, 0);
    of.met = true;
    entry->flags |= IOSQE_BUFFER_SELECT;
    entry->buf_group = of.group;
    entry->user_data = label(did::receiving, descriptor);
}

void close_later(loop& in, int descriptor) {
    auto* entry = next_entry(in.ring);
    io_uring_prep_close(entry, descriptor);
    forget(entry, descriptor);
}

enum class then {
    go_on,
    next_entry,
    close
};

/// With MSG_MORE, the kernel delays the last response until the close, and sends it together with the FIN.
void send_all(loop& in, int descriptor, std::string_view bytes, then after) {
    auto* entry = next_entry(in.ring);
    int flags = MSG_NOSIGNAL | MSG_WAITALL | (after == then::close ? MSG_MORE : 0);
    io_uring_prep_send(entry, descriptor, bytes.data(), bytes.size(), flags);
    forget(entry, descriptor);
    if (after == then::next_entry) entry->flags |= IOSQE_IO_LINK;
}

void answer(loop& in, connection& of, int descriptor, const demand& wanted) {
    auto after = wanted.closes ? then::close : then::go_on;
    if (wanted.asked == kind::upload) {
        of.uploaded = std::make_unique<std::string>(in.said.uploaded(of.input.body_size));
        send_all(in, descriptor, *of.uploaded, after);
    } else {
        const auto& [bytes, one] = in.said.of(wanted.asked);
        auto left = one * wanted.answers;
        while (left > bytes.size()) {
            send_all(in, descriptor, bytes, then::next_entry);
            left -= bytes.size();
        }
        send_all(in, descriptor, {bytes.data(), left}, after);
    }
}

/// Cancels the receive. The socket is closed without a shutdown: a pending send keeps the connection open.
/// With a shutdown, closing would cost a third more, since the kernel runs it on another thread.
void stop_receiving(loop& in, int descriptor) {
    auto* entry = next_entry(in.ring);
    io_uring_prep_cancel64(entry, label(did::receiving, descriptor), 0);
    forget(entry, descriptor);
}

void on_received(loop& in, int descriptor, const io_uring_cqe& piece) {
    auto& of = in.connections[std::size_t(descriptor)];
    if (piece.flags & IORING_CQE_F_BUFFER) {
        unsigned id = piece.flags >> IORING_CQE_BUFFER_SHIFT;
        auto& from = id >= first_large ? in.large : in.small;
        auto wanted = piece.res > 0 ? read_piece(of.input, from.filled(id, piece.res)) : demand{};
        from.give_back(id);
        if (wanted.answers) answer(in, of, descriptor, wanted);
        of.ending |= wanted.closes;
    }
    bool uploads = of.input.body_left && of.group == small_group;
    if (uploads) of.group = large_group;
    if (piece.flags & IORING_CQE_F_MORE) {
        if (uploads || of.ending) stop_receiving(in, descriptor);
        return;
    }
    bool goes_on = piece.res > 0 || piece.res == -ENOBUFS || piece.res == -ECANCELED;
    if (goes_on && !of.ending) start_receiving(in, descriptor);
    else close_later(in, descriptor);
}

void on_accepted(loop& in, const io_uring_cqe& of) {
    if (of.res >= 0) {
        at_descriptor(in.connections, of.res) = {};
        start_receiving(in, of.res);
    }
    if (!(of.flags & IORING_CQE_F_MORE)) start_accepting(in);
}

void complete_all(loop& in) {
    unsigned head;
    unsigned count = 0;
    io_uring_cqe* of;
    io_uring_for_each_cqe(&in.ring, head, of) {
        ++count;
        auto what = did(of->user_data >> 32);
        if (what == did::receiving) on_received(in, int(of->user_data), *of);
        else if (what == did::accepting) on_accepted(in, *of);
    }
    in.small.publish();
    in.large.publish();
    io_uring_cq_advance(&in.ring, count);
}

[[noreturn]] void serve(int port) {
    loop here{.listener = listen_at(port, 0)};
    turn_on(here.listener, IPPROTO_TCP, TCP_NODELAY);  // inherited by accepted sockets
    start_accepting(here);
    for (;;) {
        int error = -io_uring_submit_and_wait(&here.ring, 1);
        if (error > 0 && error != EINTR && error != EBUSY) give_up("io_uring_submit_and_wait", error);
        here.said.refresh();
        complete_all(here);
    }
}

}  // namespace
}  // namespace limit

int main(int count, char** arguments) { return limit::run(count, arguments, limit::serve); }
