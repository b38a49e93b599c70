// SPDX-License-Identifier: Apache-2.0
#include "runtime/backend_peers.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include <sys/socket.h>
#include <unistd.h>

using namespace apus;
using namespace apus::test;
using runtime::after;
using runtime::backend;
using runtime::received_bytes;

namespace {

constexpr std::size_t huge = 3'000'000;  // more than the socket buffer

// Ways to send bytes on a stream.
enum class by {
    arena,
    copy,
    moved,
    statically,
    file
};

void give(backend& io, noting_stream& s, by how, std::string_view bytes) {
    switch (how) {
        case by::arena: return send_batch(io, s, bytes);
        case by::copy: return io.queue(s, bytes);
        case by::moved: return io.queue(s, std::string(bytes));
        case by::statically: return io.queue_static(s, bytes);
        case by::file: return io.queue_file(s, file_of(std::string(3, '-').append(bytes)), 3, bytes.size());
    }
}

constexpr by ways[] = {by::arena, by::copy, by::moved, by::statically, by::file};

}  // namespace

TEST_CASE("many sends of one turn keep their order") {
    on_each_backend([](backend& io) {
        const std::string text = numbered_bytes(8 * 500);
        for (by first : ways) {
            for (by second : ways) {
                noting_stream s(io);
                for (unsigned i = 0; i < 500; ++i)
                    give(io, s, i % 7 == 0 ? second : first, std::string_view(text).substr(i * 8, 8));
                std::string all;
                CHECK(turn_until(io, [&] { return (all += s.take()).size() == text.size(); }));
                CHECK((all == text));
                CHECK(s.unsent() == 0);
            }
        }
    });
}

TEST_CASE("output to several sockets keeps its order while input is handled") {
    on_each_backend([](backend& io) {
        for (by first : ways) {
            for (by second : ways) {
                noting_stream one(io), two(io), three(io);
                // Each stream sends in its own turn, and in the turns of the streams before and after it.
                for (auto* s : {&one, &two, &three}) {
                    s->on_received = [&, s](received_bytes) {
                        give(io, *s, first, "a");
                        give(io, one, second, "b");
                        give(io, *s, first, "c");
                    };
                    io.receive(*s);
                }
                io.turn(0);
                for (auto* s : {&one, &two, &three}) s->give("x");
                std::string of_one, of_two, of_three;
                CHECK(turn_until(io, [&] {
                    of_one += one.take(), of_two += two.take(), of_three += three.take();
                    return of_one.size() == 5 && of_two == "ac" && of_three == "ac";
                }));
                CHECK((of_one == "abcbb" || of_one == "babcb" || of_one == "bbabc"));
            }
        }
    });
}

TEST_CASE("closing after a send that fits into the socket buffer loses nothing") {
    on_each_backend([](backend& io) {
        noting_stream one(io), two(io);
        unsigned seen = 0;
        for (auto* s : {&one, &two}) {
            s->on_received = [&, s](received_bytes) {
                send_batch(io, *s, "answer");
                if (++seen < 2) return;
                io.close(one), io.close(two);
            };
            io.receive(*s);
        }
        io.turn(0);
        for (auto* s : {&one, &two}) s->give("x");
        CHECK(turn_until(io, [&] { return one.closes && two.closes; }));
        CHECK(one.take_all() == "answer");
        CHECK(two.take_all() == "answer");
    });
}

TEST_CASE("output larger than the socket buffer arrives in order at the reader's pace") {
    on_each_backend([](backend& io) {
        const std::string text = numbered_bytes(huge);
        for (by first : ways) {
            noting_stream s(io);
            const std::uint64_t sent_before = io.traffic(0).sent;
            std::size_t at = 0;
            unsigned turn = 0;
            std::string all;
            // Sends pieces of various sizes in all ways, while the peer reads 10,000 bytes per turn.
            auto next_piece = [&] {
                const std::size_t size =
                    std::min<std::size_t>(turn == 0 ? huge / 2 : (turn * 7919) % 60'000, huge - at);
                give(io, s, turn == 0 ? first : ways[turn % 4], std::string_view(text).substr(at, size));
                at += size;
                ++turn;
            };
            CHECK(turn_until(io, [&] {
                if (at < huge) next_piece();
                all += s.take(10'000);
                return all.size() == huge;
            }));
            CHECK((all == text));
            CHECK(turn_until(io, [&] { return s.unsent() == 0; }));
            CHECK(s.drains >= 1);
            CHECK(s.ends == 0);
            CHECK(io.traffic(0).sent == sent_before + huge);
        }
    });
}

TEST_CASE("a partial send is reported with the number of bytes sent") {
    on_each_backend([](backend& io) {
        noting_stream s(io);
        s.begin_traffic_as(2);
        send_batch(io, s, numbered_bytes(huge));
        CHECK(turn_until(io, [&] { return s.stalls > 0; }));
        CHECK(s.stalls == 1);
        const std::size_t waiting = s.unsent();
        CHECK(waiting > 0);
        CHECK(waiting < huge);
        std::string all;
        CHECK(turn_until(io, [&] { return (all += s.take()).size() == huge; }));
        CHECK(turn_until(io, [&] { return s.drains == 1; }));
        CHECK((all == numbered_bytes(huge)));
        CHECK(s.progress == waiting);
        // Small pieces are passed to the kernel directly.
        send_batch(io, s, "small");
        io.turn(0), io.turn(0);
        CHECK(s.take() == "small");
        CHECK(s.stalls == 1);
        CHECK(io.traffic(2).sent == huge + 5);
        CHECK(io.traffic(0).sent == 0);
    });
}

TEST_CASE("the end follows the last byte, however much is queued") {
    on_each_backend([](backend& io) {
        for (std::size_t size : {std::size_t{5}, std::size_t{20'000}, huge}) {
            for (by how : ways) {
                for (after then : {after::half_close, after::close}) {
                    CAPTURE(size);
                    CAPTURE(int(how));
                    CAPTURE(int(then));
                    noting_stream s(io);
                    const std::string text = numbered_bytes(size);
                    io.receive(s);
                    if (how == by::arena) {
                        send_batch(io, s, text, then);
                    } else {
                        give(io, s, how, text);
                        io.finish(s, then);
                    }
                    CHECK((s.take_all(1 << 18) == text));
                    CHECK(s.peer_saw == "end");
                    if (then == after::close) {
                        CHECK(turn_until(io, [&] { return s.closes == 1; }));
                    } else {
                        CHECK(s.closes == 0);
                        s.give("still heard");
                        CHECK(turn_until(io, [&] { return s.got == "still heard"; }));
                    }
                }
            }
        }
    });
}

TEST_CASE("a peer that has sent more than was read gets the last bytes, not a reset") {
    on_each_backend([](backend& io) {
        for (const std::size_t size : {std::size_t{5}, std::size_t{20'000}, huge}) {
            CAPTURE(size);
            noting_stream s(io);
            const std::string text = numbered_bytes(size);
            s.give("unread");
            send_batch(io, s, text, after::close);
            CHECK((s.take_all(1 << 18) == text));
            CHECK(s.peer_saw == "end");
            io.close(s);
            CHECK(turn_until(io, [&] { return s.closes == 1; }));
        }
    });
}

TEST_CASE("an end without output is immediate, or follows the unsettled send") {
    on_each_backend([](backend& io) {
        noting_stream idle(io), busy(io);
        io.finish(idle, after::half_close);
        CHECK(idle.take_all() == "");
        CHECK(idle.peer_saw == "end");
        send_batch(io, busy, numbered_bytes(huge));
        io.finish(busy, after::close);
        CHECK((busy.take_all() == numbered_bytes(huge)));
        CHECK(busy.peer_saw == "end");
        CHECK(turn_until(io, [&] { return busy.closes == 1; }));
    });
}

namespace {

// Bytes from the peer are answered while a large send is incomplete. The answer must follow the bytes of this send.
void answer_behind_a_stalled_send(backend& io, bool receives_before) {
    noting_stream s(io);
    s.on_received = [&](received_bytes b) { send_batch(io, s, {b.data, b.size}); };
    io.receive(s);
    if (receives_before) io.turn(0);
    send_batch(io, s, numbered_bytes(huge));
    s.give("|answer|");
    std::string all;
    CHECK(turn_until(io, [&] { return (all += s.take(100'000)).size() == huge + 8; }));
    CHECK((all == numbered_bytes(huge) + "|answer|"));
}

}  // namespace

TEST_CASE("output queued for a slow reader is not overtaken by later output") {
    on_each_backend([](backend& io) { answer_behind_a_stalled_send(io, true); });
}

TEST_CASE("output queued for a slow reader is not overtaken if receiving began in the same turn") {
    on_each_backend([](backend& io) { answer_behind_a_stalled_send(io, false); });
}

TEST_CASE("closing at once discards unsent bytes, and a reset is reported") {
    on_each_backend([](backend& io) {
        noting_stream s(io);
        io.queue(s, numbered_bytes(huge));
        io.turn(0), io.turn(0);
        io.reset(s);
        CHECK(turn_until(io, [&] { return s.closes == 1; }));
        CHECK(s.take_all().size() < huge);
        CHECK_FALSE(s.peer_saw.empty());
    });
}

TEST_CASE("sending to a vanished peer ends the stream") {
    on_each_backend([](backend& io) {
        for (by how : ways) {
            CAPTURE(int(how));
            noting_stream s(io);
            s.hang_up();
            give(io, s, how, "nobody reads this");
            CHECK(turn_until(io, [&] { return s.ends == 1; }));
            CHECK(s.end == EPIPE);
            for (int i = 0; i < 3; ++i) io.turn(0);
            CHECK(s.ends == 1);
        }
    });
}

TEST_CASE("a peer that vanishes during a large send ends the stream") {
    on_each_backend([](backend& io) {
        noting_stream s(io);
        io.queue(s, numbered_bytes(huge));
        io.turn(0), io.turn(0);
        CHECK(s.unsent() > 0);
        s.take();
        s.hang_up();
        CHECK(turn_until(io, [&] { return s.ends == 1; }));
        CHECK(s.end != 0);
    });
}

TEST_CASE("more may be queued from within `drained` and `progressed`") {
    on_each_backend([](backend& io) {
        noting_stream s(io);
        const std::string text = numbered_bytes(2'000'000);
        std::size_t at = 0;
        auto more = [&] {
            const std::size_t size = std::min<std::size_t>(100'000, text.size() - at);
            if (!size) return;
            io.queue(s, std::string_view(text).substr(at, size));
            at += size;
        };
        s.on_drained = more;
        s.on_progress = [&] {
            if (s.unsent() < 50'000) more();
        };
        more();
        std::string all;
        CHECK(turn_until(io, [&] { return (all += s.take(60'000)).size() == text.size(); }));
        CHECK((all == text));
    });
}

TEST_CASE("a truncated file ends its stream and reports it") {
    on_each_backend([](backend& io) {
        noting_stream s(io);
        const auto file = file_of("0123456789");
        io.queue_file(s, file, 0, 20);
        bool ended = false;
        s.on_ended = [&] { ended = true; };
        CHECK(turn_until(io, [&] { return ended; }));
        CHECK(s.take() == "0123456789");
        CHECK(s.unsent() == 10);
    });
}

TEST_CASE("sending a file to a vanished peer is an error without a signal") {
    on_each_backend([](backend& io) {
        noting_stream s(io);
        s.hang_up();
        bool ended = false;
        s.on_ended = [&] { ended = true; };
        io.queue_file(s, file_of("0123456789"), 0, 10);
        CHECK(turn_until(io, [&] { return ended; }));
    });
}

// A child process has copies of all descriptors until it calls `exec`, so that the kernel does not close the socket.
TEST_CASE("a closed stream gets no events while a child process has a copy of its descriptor") {
    on_each_backend([](backend& io) {
        using clock = std::chrono::steady_clock;
        const socket_ends ends = unix_pair();
        const int copy = dup(ends.ours);
        noting_stream s(io, ends);
        io.receive(s);
        io.turn(0);
        io.close(s);
        REQUIRE(turn_until(io, [&] { return s.closes == 1; }));
        s.give("x");
        const auto begin = clock::now();
        for (int i = 0; i < 20; ++i) io.turn(5);
        CHECK(clock::now() - begin >= std::chrono::milliseconds(50));
        close(copy);
    });
}

// For each io_uring request that waits for room, the kernel reports a half-closed socket as writable.
TEST_CASE("a half-closed peer that does not read costs no turns") {
    on_each_backend([](backend& io) {
        using clock = std::chrono::steady_clock;
        const std::string text = numbered_bytes(huge);
        for (const bool known : {false, true}) {
            for (by how : ways) {
                CAPTURE(known);
                CAPTURE(static_cast<int>(how));
                noting_stream s(io);
                if (known) io.receive(s);
                shutdown(s.peer(), SHUT_WR);
                CHECK(turn_until(io, [&] { return s.end == (known ? 0 : -1); }));
                give(io, s, how, text);
                for (int i = 0; i < 10; ++i) io.turn(0);
                CHECK(s.unsent() != 0);
                const auto begin = clock::now();
                for (int i = 0; i < 20; ++i) io.turn(5);
                CHECK(clock::now() - begin >= std::chrono::milliseconds(50));
                std::string all;
                CHECK(turn_until(io, [&] { return (all += s.take(100'000)).size() == text.size(); }));
                CHECK((all == text));
                CHECK(s.drains == 1);
            }
        }
    });
}
