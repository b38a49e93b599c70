// SPDX-License-Identifier: Apache-2.0
#include "runtime/backend_peers.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;
using runtime::backend;

namespace {

constexpr std::size_t piece = 32 * 1024;
constexpr std::size_t slack = 128 * 1024;  // a single send may exceed the stream's share by this much

enum class by {
    queue,
    file,
    arena
};

// A stream that always has more to send, with a peer that reads everything.
struct endless {
    endless(backend& b, by how) : io(b), made_by(how) {
        s.on_progress = [this] {
            read();
            if (made_by != by::arena && s.unsent() < piece) more();
        };
        s.on_resumed = [this] {
            if (made_by == by::arena) more();
        };
        more();
    }
    void more() {
        if (made_by == by::file) return io.queue_file(s, content, 0, piece);
        if (made_by == by::queue) return io.queue(s, std::string(piece, 'q'));
        // Sends in the way that HTTP/2 does.
        while (io.room_for(s) != 0 && s.unsent() == 0) {
            send_batch(io, s, std::string(piece, 'a'));
            read();
        }
        io.yield(s);
    }
    void read() {
        for (std::string got; !(got = s.take(piece)).empty();) taken += got.size();
    }

    backend& io;
    const by made_by;
    const runtime::file_ref content = file_of(std::string(piece, 'f'));
    noting_stream s{io};
    std::size_t taken = 0;
};

constexpr by ways[] = {by::queue, by::file, by::arena};

}  // namespace

TEST_CASE("a stream gets only its share of a turn, however fast its peer reads") {
    on_each_backend([](backend& io) {
        for (const by how : ways) {
            CAPTURE(int(how));
            endless one(io, how);
            for (int turn = 0; turn < 20; ++turn) {
                const std::size_t before = one.taken;
                io.turn(-1);  // returns at once, since there is more to send
                one.read();
                CHECK(one.taken - before <= backend::max_share_bytes + slack);
            }
            CHECK(one.taken > 0);
        }
    });
}

TEST_CASE("a turn ends when its budget is used up, and all streams get equal shares") {
    on_each_backend([](backend& io) {
        std::vector<std::unique_ptr<endless>> all;
        for (int i = 0; i < 60; ++i) all.push_back(std::make_unique<endless>(io, ways[i % 3]));
        const auto sum = [&] {
            std::size_t bytes = 0;
            for (auto& one : all) one->read(), bytes += one->taken;
            return bytes;
        };
        io.turn(0), io.turn(0);
        for (int turn = 0; turn < 100; ++turn) {
            const std::size_t before = sum();
            io.turn(-1);
            CHECK(sum() - before <= 2 * backend::max_turn_bytes + 60 * backend::min_share_bytes);
        }
        for (const by how : ways) {
            std::vector<std::size_t> taken;
            for (auto& one : all)
                if (one->made_by == how) taken.push_back(one->taken);
            const auto [least, most] = std::ranges::minmax(taken);
            CHECK(least > 0);
            CHECK(most - least <= 2 * backend::max_share_bytes + slack);
        }
    });
}

TEST_CASE("a small response does not wait for large streams") {
    on_each_backend([](backend& io) {
        std::vector<std::unique_ptr<endless>> all;
        for (int i = 0; i < 60; ++i) all.push_back(std::make_unique<endless>(io, ways[i % 3]));
        noting_stream light(io);
        light.on_received = [&](runtime::received_bytes) { send_batch(io, light, "answer"); };
        io.receive(light);
        for (int turn = 0; turn < 10; ++turn) io.turn(0);
        for (int request = 0; request < 20; ++request) {
            light.give("x");
            int turns = 0;
            while (light.take().empty() && turns < 10) io.turn(0), ++turns;
            CHECK(turns <= 3);  // io_uring sends when the next turn submits its requests
        }
    });
}

TEST_CASE("a response of 64 KiB is sent at once, also if it waits for a later turn") {
    on_each_backend([](backend& io) {
        const std::string response(2 * piece, 'r');
        std::vector<std::unique_ptr<noting_stream>> all;
        int sends = 0;
        for (int i = 0; i < 40; ++i) {
            auto& s = *all.emplace_back(std::make_unique<noting_stream>(io));
            s.on_progress = [&] { ++sends; };
            io.queue(s, response);
        }
        std::size_t taken = 0;
        for (int turn = 0; turn < 100 && taken < all.size() * response.size(); ++turn) {
            io.turn(0);
            for (auto& s : all) taken += s->take().size();
        }
        CHECK(taken == all.size() * response.size());
        CHECK(sends == 40);
    });
}

TEST_CASE("yielded streams are resumed once, in order, without a wait") {
    on_each_backend([](backend& io) {
        noting_stream a(io), b(io), c(io);
        std::string order;
        a.on_resumed = [&] { order += 'a'; };
        b.on_resumed = [&] { order += 'b', io.yield(a); };
        c.on_resumed = [&] { order += 'c', io.close(b); };
        io.yield(b), io.yield(c), io.yield(b), io.yield(a);
        CHECK(a.yielded());
        io.turn(-1);
        CHECK(order == "bca");
        CHECK_FALSE(a.yielded());
        io.yield(b);  // has no effect, since the stream is closed
        io.yield(a);
        io.turn(-1);
        CHECK(order == "bcaa");
        io.turn(0), io.turn(0);
        CHECK(order == "bcaa");
    });
}

TEST_CASE("closing a stream that waits for its share leaves nothing behind") {
    on_each_backend([](backend& io) {
        std::vector<std::unique_ptr<endless>> others;
        for (int i = 0; i < 30; ++i) others.push_back(std::make_unique<endless>(io, by::arena));
        for (int turn = 0; turn < 5; ++turn) {
            auto gone = std::make_unique<endless>(io, ways[turn % 3]);
            io.yield(gone->s);
            gone.reset();  // its destructor runs the loop until the stream is closed
        }
    });
}
