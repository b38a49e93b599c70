// SPDX-License-Identifier: Apache-2.0
#include "runtime/backend_peers.hpp"

#include <algorithm>
#include <memory>
#include <string>

using namespace apus;
using namespace apus::test;
using runtime::backend;
using runtime::received_bytes;

namespace {

constexpr std::size_t huge = 3'000'000;  // more than the socket buffer

// A receiver that takes over a socket's events from another one.
struct successor final : runtime::receiver {
    explicit successor(backend& b) : io(b) {}
    void received(received_bytes b) override { got.append(b.data, b.size); }
    void ended(int error) override { end = error; }
    void stalled() override {}
    void drained() override { ++drains; }
    void progressed(std::size_t) override {}
    void resumed() override { ++resumes; }
    void closed() noexcept override { ++closes; }

    backend& io;
    std::string got;
    int end = -1;
    unsigned drains = 0, resumes = 0, closes = 0;
};

// A socket whose second receiver takes over when the first bytes arrive. When the socket is closed, the first receiver
// is notified, so that the socket can be destroyed.
struct two_receivers {
    explicit two_receivers(backend& b) : io(b) {
        first.on_received = [this](received_bytes bytes) {
            if (skipped++ < kept_before) return void(first.got.append(bytes.data, bytes.size));
            first.got.append(bytes.data, used < bytes.size ? used : bytes.size);
            if (before) before();
            second = std::make_unique<successor>(io);
            first.set_receiver(*second);
            if (after) after();
            if (used < bytes.size) io.deliver_rest(first, {bytes.data + used, bytes.size - used});
        };
        io.receive(first);
    }
    ~two_receivers() { first.set_receiver(first); }
    bool replaced_at(std::string_view bytes) {
        first.give(bytes);
        return turn_until(io, [this] { return second != nullptr; });
    }
    std::string all() const { return first.got + (second ? second->got : ""); }

    backend& io;
    noting_stream first{io};
    std::unique_ptr<successor> second;
    std::function<void()> before, after;
    std::size_t skipped = 0, kept_before = 0, used = 1;
};

}  // namespace

TEST_CASE("a receiver is replaced while it receives, and the next gets all that follows") {
    on_each_backend([](backend& io) {
        two_receivers s(io);
        REQUIRE(s.replaced_at("1rest"));
        CHECK(s.second->got == "rest");
        s.first.give(" more");
        CHECK(turn_until(io, [&] { return s.second->got == "rest more"; }));
        CHECK(s.first.got == "1");
        send_batch(io, s.first, "answer");
        std::string all;
        CHECK(turn_until(io, [&] { return (all += s.first.take()) == "answer"; }));
        s.first.hang_up();
        CHECK(turn_until(io, [&] { return s.second->end == 0; }));
        CHECK(s.first.ends == 0);
    });
}

TEST_CASE("earlier queued output precedes that of the next receiver") {
    on_each_backend([](backend& io) {
        two_receivers s(io);
        const std::string text = numbered_bytes(huge + 800);
        const std::string_view all = text;
        s.before = [&] {
            send_batch(io, s.first, all.substr(0, 400));
            io.queue(s.first, all.substr(400, huge));
        };
        s.after = [&] { send_batch(io, s.first, all.substr(huge + 400)); };
        REQUIRE(s.replaced_at("x"));
        std::string got;
        CHECK(turn_until(io, [&] { return (got += s.first.take(1 << 20)).size() >= text.size(); }));
        CHECK((got == text));
        CHECK(turn_until(io, [&] { return s.second->drains == 1; }));
        CHECK(s.first.drains == 0);
        CHECK(s.first.unsent() == 0);
    });
}

TEST_CASE("bytes that come while receivers are replaced reach them in order") {
    on_each_backend([](backend& io) {
        const std::string text = numbered_bytes(400'000);
        for (const bool bulk : {false, true}) {
            for (const std::size_t before : {0U, 1U, 3U}) {  // so that the kernel has a multishot request
                two_receivers s(io);
                s.kept_before = before;
                if (bulk) io.set_receive_mode(s.first, runtime::receive_mode::bulk);
                std::size_t given = 0;
                CHECK(turn_until(io, [&] {
                    const ssize_t n = ::send(s.first.peer(), text.data() + given,
                                             std::min<std::size_t>(20'000, text.size() - given), MSG_NOSIGNAL);
                    if (n > 0) given += static_cast<std::size_t>(n);
                    return s.all().size() == text.size();
                }));
                CHECK((s.all() == text));
                CHECK(s.second != nullptr);
            }
        }
    });
}

TEST_CASE("the next receiver may close the socket at once, whatever is in flight") {
    on_each_backend([](backend& io) {
        two_receivers s(io);
        io.queue(s.first, numbered_bytes(huge));
        for (int i = 0; i < 5; ++i) io.turn(0);
        s.after = [&] { io.close(s.first); };
        REQUIRE(s.replaced_at("x"));
        CHECK(turn_until(io, [&] { return s.second->closes == 1; }));
        CHECK(s.first.closes == 0);
        s.first.closes = 1;  // so that the destructor does not wait for it
        s.first.take_all();
        CHECK(!s.first.peer_saw.empty());
    });
}

TEST_CASE("a socket waiting for its share resumes its current receiver") {
    on_each_backend([](backend& io) {
        two_receivers s(io);
        s.before = [&] { io.yield(s.first); };
        REQUIRE(s.replaced_at("x"));
        CHECK(turn_until(io, [&] { return s.second->resumes == 1; }));
        CHECK(s.first.resumes == 0);
    });
}
