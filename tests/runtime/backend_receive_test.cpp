// SPDX-License-Identifier: Apache-2.0
#include "runtime/backend_peers.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace apus;
using namespace apus::test;
using runtime::after;
using runtime::backend;
using runtime::received_bytes;

TEST_CASE("received bytes are delivered, and a response is sent") {
    on_each_backend([](backend& io) {
        noting_stream s(io);
        s.on_received = [&](received_bytes b) { send_batch(io, s, {b.data, b.size}); };
        io.receive(s);
        std::string back;
        for (std::string_view word : {"one", "two", "three"}) {
            s.give(word);
            CHECK(turn_until(io, [&] { return (back += s.take()).ends_with(word); }));
        }
        CHECK(back == "onetwothree");
    });
}

TEST_CASE("the peer's end is reported once, after its last bytes") {
    on_each_backend([](backend& io) {
        noting_stream s(io);
        std::string got_at_end;
        s.on_ended = [&] { got_at_end = s.got; };
        io.receive(s);
        s.give("last words");
        shutdown(s.peer(), SHUT_WR);
        CHECK(turn_until(io, [&] { return s.ends > 0; }));
        CHECK(s.end == 0);
        CHECK(got_at_end == "last words");
        for (int i = 0; i < 5; ++i) io.turn(0);
        CHECK(s.ends == 1);
        // The direction to the peer stays open.
        send_batch(io, s, "an answer", after::close);
        CHECK(s.take_all() == "an answer");
        CHECK(s.peer_saw == "end");
    });
}

TEST_CASE("a disconnection while receiving is paused is reported on resuming") {
    on_each_backend([](backend& io) {
        noting_stream s(io);
        s.give("bytes");
        s.hang_up();
        io.turn(0);
        CHECK(s.ends == 0);
        io.receive(s);
        CHECK(turn_until(io, [&] { return s.ends > 0; }));
        CHECK(s.got == "bytes");
    });
}

TEST_CASE("a reset is reported once, with its error") {
    on_each_backend([](backend& io) {
        noting_stream s(io);
        io.receive(s);
        io.turn(0);
        // Closing a socket with unread input sends a reset, even on Unix sockets.
        send_batch(io, s, "never read");
        io.turn(0);
        io.turn(0);
        s.hang_up();
        CHECK(turn_until(io, [&] { return s.ends > 0; }));
        CHECK(s.end == ECONNRESET);
        for (int i = 0; i < 5; ++i) io.turn(0);
        CHECK(s.ends == 1);
    });
}

TEST_CASE("a paused receiver gets no events until it resumes, and loses nothing") {
    on_each_backend([](backend& io) {
        noting_stream s(io);
        io.receive(s);
        s.give("before;");
        CHECK(turn_until(io, [&] { return s.got == "before;"; }));
        io.pause(s);
        io.turn(0);
        io.turn(0);
        std::string all = "before;";
        for (int i = 0; i < 20; ++i) {
            s.give("x");
            all += 'x';
            io.turn(0);
        }
        CHECK(s.got == "before;");
        io.receive(s);
        CHECK(turn_until(io, [&] { return s.got == all; }));
        // If there are several changes within one turn, the last one applies.
        io.pause(s), io.receive(s), io.pause(s), io.receive(s);
        s.give("after");
        CHECK(turn_until(io, [&] { return s.got == all + "after"; }));
        io.receive(s), io.pause(s);
        io.turn(0), io.turn(0);
        s.give("not now");
        io.turn(0), io.turn(0);
        CHECK(s.got == all + "after");
    });
}

TEST_CASE("pausing within a delivery holds back the following bytes") {
    on_each_backend([](backend& io) {
        noting_stream s(io);
        unsigned calls = 0;
        s.on_received = [&](received_bytes b) {
            ++calls;
            s.got.append(b.data, b.size);
            io.pause(s);
        };
        io.receive(s);
        s.give(numbered_bytes(40'000));
        // After the pause, bytes in flight may still arrive, but not all bytes.
        for (int i = 0; i < 10; ++i) io.turn(0);
        CHECK(calls >= 1);
        while (s.got.size() < 40'000 && calls < 1000) {
            io.receive(s);
            for (int i = 0; i < 3; ++i) io.turn(0);
        }
        CHECK(s.got == numbered_bytes(40'000));
    });
}

TEST_CASE("kept bytes stay in place while others arrive") {
    on_each_backend([](backend& io) {
        noting_stream s(io);
        std::vector<std::pair<char*, std::string_view>> kept;
        s.on_received = [&](received_bytes b) {
            std::string_view bytes(b.data, b.size);
            kept.emplace_back(io.keep().bytes, bytes);
        };
        io.receive(s);
        for (unsigned i = 0; i < 100; ++i) {
            s.give("kept " + std::to_string(i));
            CHECK(turn_until(io, [&] { return kept.size() == i + 1; }));
        }
        for (unsigned i = 0; i < kept.size(); ++i) CHECK(kept[i].second == "kept " + std::to_string(i));
        for (auto& k : kept) io.buffers().recycle(k.first);
        // Returned buffers are used again, and this time the receiver keeps none.
        s.on_received = nullptr;
        s.give("plain");
        CHECK(turn_until(io, [&] { return s.got == "plain"; }));
    });
}

// A ring starts with few buffers, so more sockets become readable at once than there are buffers.
TEST_CASE("more sockets than buffers may be readable at once") {
    on_each_backend([](backend& io) {
        constexpr unsigned many = 150;
        std::vector<std::unique_ptr<noting_stream>> all;
        for (unsigned i = 0; i < many; ++i) {
            all.push_back(std::make_unique<noting_stream>(io));
            io.receive(*all.back());
        }
        io.turn(0);
        for (int round = 0; round < 3; ++round) {
            for (unsigned i = 0; i < many; ++i) all[i]->give(numbered_bytes(5000, i * 1000));
            auto arrived = [&] {
                for (auto& s : all)
                    if (s->got.size() < 5000) return false;
                return true;
            };
            CHECK(turn_until(io, arrived));
            for (unsigned i = 0; i < many; ++i) CHECK((all[i]->got == numbered_bytes(5000, i * 1000)));
            for (auto& s : all) s->got.clear();
        }
    });
}

TEST_CASE("a socket may close itself and others within any callback") {
    on_each_backend([](backend& io) {
        noting_stream in_received(io), other(io), in_ended(io), in_drained(io);
        in_received.on_received = [&](received_bytes) {
            io.close(in_received);
            io.close(other);
        };
        other.on_received = [&](received_bytes) {
            io.close(other);
            io.close(in_received);
        };
        in_ended.on_ended = [&] { io.close(in_ended); };
        in_drained.on_drained = [&] { io.close(in_drained); };
        for (auto* s : {&in_received, &other, &in_ended}) io.receive(*s);
        io.turn(0);
        in_received.give("a"), other.give("b"), shutdown(in_ended.peer(), SHUT_WR);
        io.queue(in_drained, std::string_view("c"));
        CHECK(
            turn_until(io, [&] { return in_received.closes && other.closes && in_ended.closes && in_drained.closes; }));
        for (auto* s : {&in_received, &other, &in_ended, &in_drained}) {
            s->take_all();
            CHECK(s->closes == 1);
        }
        // Operations on another stream that is already closed have no effect.
        io.receive(other), io.pause(other), io.close(other), io.reset(other);
        io.queue(other, std::string_view("x")), io.finish(other, after::close);
        send_batch(io, other, "x");
        io.turn(0), io.turn(0), io.turn(0);
        CHECK(other.closes == 1);
    });
}

TEST_CASE("after closing only `closed` is called, whatever is pending") {
    on_each_backend([](backend& io) {
        for (int turns_before = 0; turns_before < 3; ++turns_before) {
            noting_stream s(io);
            io.receive(s);
            io.turn(0);
            s.give("bytes");
            io.queue(s, numbered_bytes(3'000'000));
            for (int i = 0; i < turns_before; ++i) io.turn(0);
            const auto got = s.got;
            const auto progress = s.progress;
            io.close(s);
            CHECK(turn_until(io, [&] { return s.closes > 0; }));
            for (int i = 0; i < 3; ++i) s.take(), io.turn(0);
            CHECK(s.got == got);
            CHECK(s.progress == progress);
            CHECK(s.ends == 0);
            CHECK(s.closes == 1);
        }
    });
}

TEST_CASE("bulk mode delivers large pieces, and changing the mode loses nothing") {
    on_each_backend([](backend& io) {
        noting_stream s(io);
        std::size_t largest = 0;
        s.on_received = [&](received_bytes b) {
            largest = std::max(largest, b.size);
            s.got.append(b.data, b.size);
        };
        io.receive(s);
        std::string all;
        const runtime::receive_mode ways[] = {runtime::receive_mode::bulk, runtime::receive_mode::small_after_bulk,
                                              runtime::receive_mode::bulk, runtime::receive_mode::small};
        for (unsigned round = 0; round < 12; ++round) {
            io.set_receive_mode(s, ways[round % 4]);
            largest = 0;
            for (unsigned n = 0; n < 3; ++n) {
                const std::string piece = numbered_bytes(50'000, round * 100'000 + n * 10'000);
                s.give(piece);
                all += piece;
                CHECK(turn_until(io, [&] { return s.got.size() == all.size(); }));
            }
            CHECK((largest > runtime::buffer_pool::buffer_size) == (ways[round % 4] == runtime::receive_mode::bulk));
        }
        CHECK(s.got == all);
    });
}

TEST_CASE("kept bulk buffers do not change while more is received") {
    on_each_backend([](backend& io) {
        noting_stream s(io);
        std::vector<std::pair<runtime::buffer_lease, std::string>> kept;
        std::size_t total = 0;
        s.on_received = [&](received_bytes b) {
            total += b.size;
            kept.emplace_back(io.keep(), std::string(b.data, b.size));
        };
        io.set_receive_mode(s, runtime::receive_mode::bulk);
        io.receive(s);
        for (unsigned n = 0; n < 4; ++n) {
            s.give(numbered_bytes(100'000, n * 15'000));
            CHECK(turn_until(io, [&] { return total == (n + 1) * 100'000; }));
        }
        for (auto& [lease, bytes] : kept) {
            CHECK(std::string_view(lease.bytes, bytes.size()) == bytes);
            CHECK(bytes.size() <= 64 * 1024);  // a receiver that keeps buffers gets smaller ones
            io.buffers().recycle(lease);
        }
    });
}

TEST_CASE("a receiver in bulk mode may pause, and gets the end") {
    on_each_backend([](backend& io) {
        noting_stream s(io);
        io.set_receive_mode(s, runtime::receive_mode::bulk);
        io.receive(s);
        io.turn(0);
        io.pause(s);
        io.turn(0), io.turn(0);
        s.give("later");
        io.turn(0), io.turn(0);
        CHECK(s.got.empty());
        io.receive(s);
        CHECK(turn_until(io, [&] { return s.got == "later"; }));
        shutdown(s.peer(), SHUT_WR);
        CHECK(turn_until(io, [&] { return s.ends > 0; }));
        CHECK(s.end == 0);
    });
}

TEST_CASE("receiving from a fast peer is limited per turn, so that pausing takes effect in time") {
    on_each_backend([](backend& io) {
        noting_stream s(io);
        const std::string text = numbered_bytes(150'000);
        s.give(text);
        io.receive(s);
        std::size_t most = 0;
        CHECK(turn_until(io, [&, before = std::size_t{0}]() mutable {
            most = std::max(most, s.got.size() - std::exchange(before, s.got.size()));
            return s.got.size() == text.size();
        }));
        CHECK(most <= 2 * runtime::buffer_pool::buffer_size);
        CHECK((s.got == text));
    });
}
