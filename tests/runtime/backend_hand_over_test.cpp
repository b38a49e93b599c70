// SPDX-License-Identifier: Apache-2.0
#include "runtime/backend_peers.hpp"

#include <memory>
#include <string>

using namespace apus;
using namespace apus::test;
using runtime::backend;
using runtime::received_bytes;

namespace {

constexpr std::size_t huge = 3'000'000;  // more than the socket takes at once

// A stream, and the one that takes its socket when the first bytes come. The peer is the first's.
struct two_streams {
    explicit two_streams(backend& b) : io(b) {
        first.on_received = [this](received_bytes bytes) {
            first.got.append(bytes.data, bytes.size);
            if (before) before();
            second = std::make_unique<noting_stream>(io, socket_ends{first.fd(), -1});
            io.hand_over(first, *second);
            if (receives) io.receive(*second);
            if (after) after();
        };
        io.receive(first);
    }
    bool hand_over_at(std::string_view bytes) {
        first.give(bytes);
        return turn_until(io, [this] { return second != nullptr; });
    }

    backend& io;
    noting_stream first{io};
    std::unique_ptr<noting_stream> second;
    std::function<void()> before, after;
    bool receives = true;
};

}  // namespace

TEST_CASE("a stream is handed over, and the one before is closed without its socket") {
    on_each_backend([](backend& io) {
        two_streams s(io);
        REQUIRE(s.hand_over_at("first"));
        s.first.give("second");
        CHECK(turn_until(io, [&] { return s.second->got == "second" && s.first.closes == 1; }));
        CHECK(s.first.got == "first");
        CHECK(s.first.fd() == -1);
        send_batch(io, *s.second, "answer");
        std::string all;
        CHECK(turn_until(io, [&] { return (all += s.first.take()) == "answer"; }));
        s.first.hang_up();
        CHECK(turn_until(io, [&] { return s.second->end == 0; }));
        CHECK(s.first.ends == 0);
    });
}

TEST_CASE("what was sent and queued before goes out before what the next stream sends") {
    on_each_backend([](backend& io) {
        for (const bool flushing : {false, true}) {
            two_streams s(io);
            const std::string text = numbered_bytes(huge + 800);
            const std::string_view all = text;
            s.before = [&] {
                if (!flushing) send_batch(io, s.first, all.substr(0, 400));
                io.queue(s.first, all.substr(400, huge));
            };
            s.after = [&] { send_batch(io, *s.second, all.substr(huge + 400)); };
            if (flushing) {
                io.queue(s.first, all.substr(0, 400));
                std::string more = numbered_bytes(huge);
                io.queue(s.first, std::string_view(more));
                for (int i = 0; i < 5; ++i) io.turn(0);  // the kernel has what it takes
                REQUIRE(s.first.unsent() > 0);
                REQUIRE(s.hand_over_at("x"));
                CHECK(s.first.unsent() == 0);
                std::string got;
                const std::string wanted = text.substr(0, 400) + more + text.substr(400);
                CHECK(turn_until(io, [&] { return (got += s.first.take(1 << 20)).size() >= wanted.size(); }));
                CHECK((got == wanted));
            } else {
                REQUIRE(s.hand_over_at("x"));
                std::string got;
                CHECK(turn_until(io, [&] { return (got += s.first.take(1 << 20)).size() >= text.size(); }));
                CHECK((got == text));
            }
            CHECK(s.second->unsent() == 0);
        }
    });
}

TEST_CASE("bytes that come while a stream is handed over reach the next one in order") {
    on_each_backend([](backend& io) {
        const std::string text = numbered_bytes(400'000);
        for (const std::size_t asked_before : {0U, 1U, 3U}) {
            two_streams s(io);
            std::size_t pieces = 0;
            const auto hand_over = s.first.on_received;
            s.first.on_received = [&](received_bytes b) {  // so that the kernel has a lasting request
                if (pieces++ < asked_before) s.first.got.append(b.data, b.size);
                else hand_over(b);
            };
            std::size_t given = 0;
            const auto all = [&] { return s.first.got + (s.second ? s.second->got : ""); };
            CHECK(turn_until(io, [&] {
                const ssize_t n = ::send(s.first.peer(), text.data() + given,
                                         std::min<std::size_t>(20'000, text.size() - given), MSG_NOSIGNAL);
                if (n > 0) given += static_cast<std::size_t>(n);
                return s.first.got.size() + (s.second ? s.second->got.size() : 0) == text.size();
            }));
            CHECK((all() == text));
            CHECK(turn_until(io, [&] { return s.first.closes == 1; }));
        }
    });
}

TEST_CASE("who took a stream over may hand it over at once") {
    on_each_backend([](backend& io) {
        const std::string text = numbered_bytes(100'000);
        for (const std::size_t asked_before : {0U, 1U, 3U}) {
            two_streams s(io);
            std::unique_ptr<noting_stream> third;
            std::size_t pieces = 0;
            const auto hand_over = s.first.on_received;
            s.after = [&] {
                third = std::make_unique<noting_stream>(io, socket_ends{s.second->fd(), -1});
                io.hand_over(*s.second, *third);
                io.receive(*third);
            };
            s.first.on_received = [&](received_bytes b) {
                if (pieces++ < asked_before) s.first.got.append(b.data, b.size);
                else hand_over(b);
            };
            for (unsigned i = 0; i < 4; ++i) {
                s.first.give("x");
                CHECK(turn_until(io, [&] { return (s.first.got + (third ? third->got : "")).size() == i + 1; }));
            }
            s.first.give(text);
            CHECK(turn_until(io, [&] { return (s.first.got + third->got).size() == text.size() + 4; }));
            CHECK((s.first.got + third->got == "xxxx" + text));
            CHECK(turn_until(io, [&] { return s.first.closes == 1 && s.second->closes == 1; }));
            CHECK(s.second->got.empty());
        }
    });
}

TEST_CASE("a stream that is handed over in bulk goes on") {
    on_each_backend([](backend& io) {
        two_streams s(io);
        io.fetch(s.first, runtime::intake::in_bulk);
        REQUIRE(s.hand_over_at("x"));
        const std::string text = numbered_bytes(100'000);
        s.first.give(text);
        CHECK(turn_until(io, [&] { return s.second->got.size() == text.size(); }));
        CHECK((s.second->got == text));
    });
}

TEST_CASE("who takes a stream over may close it at once, whatever is under way") {
    on_each_backend([](backend& io) {
        for (const bool receives : {false, true}) {
            two_streams s(io);
            s.receives = receives;
            const std::string text = numbered_bytes(huge);
            io.queue(s.first, std::string_view(text));
            for (int i = 0; i < 5; ++i) io.turn(0);
            s.after = [&] { io.close(*s.second); };
            REQUIRE(s.hand_over_at("x"));
            CHECK(turn_until(io, [&] { return s.first.closes == 1 && s.second->closes == 1; }));
            s.first.take_all();
            CHECK(!s.first.peer_saw.empty());
        }
    });
}

TEST_CASE("who takes a stream over receives nothing before it asks") {
    on_each_backend([](backend& io) {
        two_streams s(io);
        s.receives = false;
        REQUIRE(s.hand_over_at("first"));
        s.first.give("second");
        for (int i = 0; i < 5; ++i) io.turn(0);
        CHECK(s.second->got == "");
        io.receive(*s.second);
        CHECK(turn_until(io, [&] { return s.second->got == "second"; }));
    });
}
