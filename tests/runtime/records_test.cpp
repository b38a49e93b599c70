// SPDX-License-Identifier: Apache-2.0
#include "runtime/record_layer.hpp"

#include "runtime/backend_peers.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

using namespace apus;
using namespace apus::test;
using runtime::after;
using runtime::backend;
using runtime::received_bytes;

namespace {

constexpr std::string_view hello = "hello", welcome = "welcome", bye = ".";
constexpr std::size_t max_record = 1000;

// A record layer for tests: each record has its size in two bytes, followed by its inverted bytes. The peer begins with
// the record hello, and this side responds with welcome. An empty record ends the stream; an oversized one is an error.
class upside_down final : public runtime::record_layer {
public:
    std::size_t open(std::string_view& sealed, std::span<char> into, runtime::record_output& out) override {
        held_ += sealed;
        sealed = {};
        if (now() == state::handshaking && !greet(out)) return 0;
        std::size_t size = 0;
        while (now() == state::secure && !peer_ended() && size < into.size() && take_record())
            size += take(into.subspan(size));
        return size;
    }
    bool seal(std::string_view bytes, runtime::record_output& out) override {
        for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), max_record)))
            out.append(record(bytes.substr(0, max_record)));
        return true;
    }
    void end(runtime::record_output& out) override {
        if (!std::exchange(ended_, true)) out.append(bye);
    }
    int truncation_error() const noexcept override { return ECONNRESET; }
    std::string_view application() const noexcept override { return {}; }
    std::string_view version() const noexcept override { return {}; }
    std::string_view server_name() const noexcept override { return {}; }
    bool resumed() const noexcept override { return false; }
    const peer_certificate* certificate() override { return nullptr; }

    static std::string record(std::string_view bytes) {
        std::string made{static_cast<char>(bytes.size() >> 8 | 0x80), static_cast<char>(bytes.size())};
        for (const char c : bytes) made += static_cast<char>(~c);
        return made;
    }

private:
    bool greet(runtime::record_output& out) {
        if (held_.size() < hello.size()) return false;
        const bool good = held_.starts_with(hello);
        state_ = good ? state::secure : state::failed;
        out.append(good ? welcome : "what?");
        held_.erase(0, hello.size());
        return good;
    }
    // Returns whether a record is ready.
    bool take_record() {
        if (!opened_.empty()) return true;
        if (held_.starts_with(bye)) return peer_ended_ = true, false;
        if (held_.size() < 2) return false;
        const std::size_t size =
            (static_cast<unsigned char>(held_[0]) & 0x7fU) << 8 | static_cast<unsigned char>(held_[1]);
        if (size > max_record) return state_ = state::failed, false;
        if (held_.size() < 2 + size) return false;
        opened_ = record(std::string_view(held_).substr(2, size)).substr(2);
        held_.erase(0, 2 + size);
        return true;
    }
    std::size_t take(std::span<char> into) {
        const std::size_t n = opened_.copy(into.data(), into.size());
        opened_.erase(0, n);
        return n;
    }

    std::string held_, opened_;
    bool ended_ = false;
};

// A stream with this record layer after the handshake. If `greets` is not hello, the handshake has failed.
struct sealed_stream {
    explicit sealed_stream(backend& b, std::string_view greets = hello) : io(b), s(b) {
        s.set_record_layer(std::make_unique<upside_down>());
        io.receive(s);
        s.give(greets);
        if (greets == hello) CHECK(turn_until(io, [&] { return (greeting += s.take()) == welcome; }));
    }
    // Returns the contents of all records that the peer received, including the end.
    std::string opened() {
        std::string all = s.take_all(), text;
        ended = all.ends_with(bye);
        for (std::string_view rest = all; rest.size() > 2;) {
            const std::size_t size =
                (static_cast<unsigned char>(rest[0]) & 0x7fU) << 8 | static_cast<unsigned char>(rest[1]);
            text += upside_down::record(rest.substr(2, size)).substr(2);
            rest.remove_prefix(std::min(rest.size(), 2 + size));
        }
        return text;
    }
    void give(std::string_view bytes) {
        for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), max_record)))
            s.give(upside_down::record(bytes.substr(0, max_record)));
    }

    backend& io;
    noting_stream s;
    std::string greeting;
    bool ended = false;
};

}  // namespace

TEST_CASE("records: all kinds of sends keep their order, and end with a close notification") {
    on_each_backend([](backend& io) {
        for (const auto then : {after::half_close, after::close}) {
            sealed_stream to(io);
            const std::string text = numbered_bytes(3'000'000);
            const std::string_view all = text;
            send_batch(io, to.s, all.substr(0, 8));
            send_batch(io, to.s, all.substr(8, 5000));
            io.queue(to.s, all.substr(5008, 24));
            io.queue_static(to.s, all.substr(5032, 1'000'000));
            io.queue_file(to.s, file_of("---" + text.substr(1'005'032, 1'000'000)), 3, 1'000'000);
            io.queue(to.s, text.substr(2'005'032));
            CHECK(to.s.unsent() >= 2'900'000);
            io.finish(to.s, then);
            CHECK((to.opened() == text));
            CHECK(to.ended);
            CHECK(to.s.unsent() == 0);
            CHECK(to.s.progress >= 2'900'000);
            CHECK((then == after::half_close ? to.s.drains : to.s.closes) >= 1);
        }
    });
}

TEST_CASE("records: a final batch is sent at once, as is the close notification") {
    on_each_backend([](backend& io) {
        sealed_stream with_end(io), closed(io);
        send_batch(io, with_end.s, "text", after::half_close);
        CHECK(with_end.opened() == "text");
        CHECK(with_end.ended);
        io.close(closed.s);
        CHECK(closed.opened().empty());
        CHECK(closed.ended);
    });
}

TEST_CASE("records: received bytes do not depend on receive mode, splitting or kept buffers") {
    on_each_backend([](backend& io) {
        for (const auto how : {runtime::receive_mode::small, runtime::receive_mode::bulk}) {
            sealed_stream from(io);
            std::string got;
            std::vector<std::pair<runtime::buffer_lease, std::string_view>> kept;
            from.s.on_received = [&](received_bytes b) { kept.push_back({io.keep(), {b.data, b.size}}); };
            io.set_receive_mode(from.s, how);
            const std::string text = numbered_bytes(60'000);
            const std::string sealed = [&] {
                std::string all;
                for (std::size_t at = 0; at < text.size(); at += 777)
                    all += upside_down::record(std::string_view(text).substr(at, 777));
                return all;
            }();
            for (std::size_t at = 0; at < sealed.size(); at += 3001) {
                from.s.give(std::string_view(sealed).substr(at, 3001));
                io.turn(0);
            }
            CHECK(turn_until(io, [&] {
                std::size_t size = 0;
                for (auto& [lease, bytes] : kept) size += bytes.size();
                return size == text.size();
            }));
            for (auto& [lease, bytes] : kept) got += bytes, io.buffers().recycle(lease);
            CHECK((got == text));
        }
    });
}

TEST_CASE("records: an announced end is regular; the layer decides about others") {
    on_each_backend([](backend& io) {
        sealed_stream told(io), silent(io), greeting(io, "hel");
        told.give("last words");
        told.s.give(bye);
        CHECK(turn_until(io, [&] { return told.s.ends == 1; }));
        CHECK(told.s.got == "last words");
        CHECK(told.s.end == 0);
        io.queue(told.s, std::string_view("an answer"));
        io.finish(told.s, after::close);
        CHECK(told.opened() == "an answer");
        for (auto* s : {&silent, &greeting}) {
            s->s.hang_up();
            CHECK(turn_until(io, [&] { return s->s.ends == 1; }));
            CHECK(s->s.end == ECONNRESET);
        }
    });
}

TEST_CASE("records: a failing layer alerts the peer before its stream ends") {
    on_each_backend([](backend& io) {
        sealed_stream rude(io, "GET /");
        CHECK(turn_until(io, [&] { return rude.s.ends == 1; }));
        CHECK(rude.s.end == EPROTO);
        CHECK(rude.s.take() == "what?");
        CHECK(!rude.s.layer()->handshake_done());
        sealed_stream broken(io);
        broken.give("good");
        broken.s.give(std::string(2, '\xff'));
        CHECK(turn_until(io, [&] { return broken.s.ends == 1; }));
        CHECK(broken.s.got == "good");
        CHECK(broken.s.end == EPROTO);
        CHECK(broken.s.layer()->handshake_done());
        io.queue(broken.s, std::string_view("nobody gets this"));
        for (int turns = 0; turns < 4; ++turns) io.turn(0);
        CHECK(broken.s.take().empty());
    });
}

TEST_CASE("records: a truncated file ends the stream") {
    on_each_backend([](backend& io) {
        sealed_stream to(io);
        io.queue_file(to.s, file_of("short"), 0, 100'000);
        CHECK(turn_until(io, [&] { return to.s.ends == 1; }));
        CHECK(to.s.end == EIO);
    });
}

TEST_CASE("records: a writer waiting for progress is resumed until all is sent") {
    on_each_backend([](backend& io) {
        sealed_stream to(io);
        const std::string text = numbered_bytes(2'000'000);
        std::size_t at = 0;
        const auto write = [&] {
            while (at < text.size() && to.s.unsent() <= 64 * 1024) {
                io.queue(to.s, std::string_view(text).substr(at, 20'000));
                at += 20'000;
                if (at >= text.size()) io.finish(to.s, after::half_close);
            }
        };
        to.s.on_progress = write;
        write();
        CHECK((to.opened() == text));
        CHECK(to.ended);
    });
}

TEST_CASE("records: few handshakes begin in a turn, in the order in which they arrived") {
    on_each_backend([](backend& io) {
        constexpr std::size_t per_turn = 8, count = 40;
        std::vector<std::unique_ptr<noting_stream>> clients;
        std::vector<upside_down*> layers;
        for (std::size_t i = 0; i < count; ++i) {
            auto layer = std::make_unique<upside_down>();
            layers.push_back(layer.get());
            clients.push_back(std::make_unique<noting_stream>(io));
            clients.back()->set_record_layer(std::move(layer));
            clients.back()->give("hel");
        }
        const auto begun = [&] { return static_cast<std::size_t>(std::ranges::count_if(layers, &upside_down::begun)); };
        for (auto& c : clients) io.receive(*c);
        std::size_t before = 0;
        for (int turns = 0; before < count && turns < 100; ++turns) {
            io.turn(0);
            CHECK(begun() <= before + per_turn);
            before = begun();
            // After the third turn, when only some handshakes have begun, the last client disconnects, and the other
            // clients send the rest of their hello.
            if (turns != 2) continue;
            CHECK(before < count);
            io.close(*clients.back());
            for (std::size_t i = 0; i + 1 < count; ++i) clients[i]->give("lo" + upside_down::record("ready"));
            layers.pop_back();
        }
        layers.resize(count - 1);
        CHECK(begun() == count - 1);
        for (std::size_t i = 0; i + 1 < count; ++i) CHECK(turn_until(io, [&] { return clients[i]->got == "ready"; }));
    });
}

TEST_CASE("records: a client that sends much before its handshake can begin is disconnected") {
    on_each_backend([](backend& io) {
        constexpr std::size_t count = 30;
        std::vector<std::unique_ptr<noting_stream>> clients;
        for (std::size_t i = 0; i < count; ++i) {
            clients.push_back(std::make_unique<noting_stream>(io));
            clients.back()->set_record_layer(std::make_unique<upside_down>());
            clients.back()->give(i + 1 < count ? "hel" : std::string(40'000, 'h'));
        }
        for (auto& c : clients) io.receive(*c);
        io.turn(0);
        CHECK(turn_until(io, [&] { return clients.back()->ends == 1; }));
        for (std::size_t i = 0; i + 1 < count; ++i) CHECK(clients[i]->ends == 0);
    });
}
