// SPDX-License-Identifier: Apache-2.0
#include "compression/message_deflate.hpp"
#include "support/descriptors.hpp"
#include "ws/hub_core.hpp"
#include "ws/hub_shard.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace apus;
using test::closing;
using test::core_of_test;
using test::on_each_hub_backend;
using test::opening_request;
using test::whole_text;

TEST_CASE("messages to a room reach all its members in order, and no other session") {
    hub rooms;
    core_of_test core(rooms);
    const auto a = core.join("one"), b = core.join("one"), c = core.join("two");
    core.send(a, whole_text("first") + whole_text("second"));
    core.send(b, test::framed(0x82, "third"));
    for (const auto member : {a, b}) CHECK(core.seen(member) == "text:first text:second binary:third ");
    CHECK(core.seen(c) == "");
    rooms.send("two", "from outside");
    rooms.send("three", "to nobody");
    CHECK(core.seen(c) == "text:from outside ");
    core.send(a, closing(1000));
    CHECK(core.seen(a) == "close:1000: ");
    rooms.send("one", std::string(100'000, 'x'));
    core.turn();
    CHECK(core.seen(b) == "text:100000 bytes ");
    CHECK(core.seen(a) == "");
}

namespace {

/// Sends 40 messages of 50,000 bytes to a slow member, and returns the frames that it receives.
std::string seen_by_slow(const hub_options& how) {
    hub rooms(how);
    core_of_test core(rooms);
    const auto slow = core.join("room");
    for (int i = 0; i < 40; ++i) {
        rooms.send("room", std::string(50'000, static_cast<char>('A' + i)));
        core.turn();
    }
    std::string all;
    for (int i = 0; i < 200; ++i) all += core.seen(slow);
    return all;
}

std::size_t count(std::string_view text, std::string_view of) {
    std::size_t n = 0;
    for (std::size_t at = 0; (at = text.find(of, at)) != text.npos; ++at) ++n;
    return n;
}

}  // namespace

TEST_CASE("slow members are handled as the hub's options say") {
    CHECK(count(seen_by_slow({.member_bytes = 4'000'000}), "50000 bytes") == 40);

    const std::string closed = seen_by_slow({.slow = slow_member::close, .member_bytes = 300'000});
    CHECK(count(closed, "50000 bytes") < 20);
    CHECK(closed.contains("close:1013:too slow for this room"));

    for (const auto policy : {slow_member::drop_oldest, slow_member::drop_newest}) {
        const std::string dropped = seen_by_slow({.slow = policy, .member_bytes = 300'000});
        CHECK(count(dropped, "50000 bytes") > 5);
        CHECK(count(dropped, "50000 bytes") < 20);
        CHECK_FALSE(dropped.contains("close"));
    }
}

namespace {

/// A client that decompresses frames in order, with its own window.
struct reader {
    compression::message_inflater inflater{15, true};

    std::string read(std::string bytes, int& compressed) {
        std::string said;
        while (!bytes.empty()) {
            const auto head = codec::websocket::read_frame_head(bytes, {.masked = false, .compressed = true});
            const std::string payload = bytes.substr(head.used, head.value.size);
            std::string text = payload;
            if (head.value.compressed) {
                ++compressed;
                text.clear();
                if (inflater.take(payload, true, text, 1'000'000) != compression::message_inflater::outcome::good)
                    return said + "broken";
            }
            said += text + " ";
            bytes.erase(0, head.used + head.value.size);
        }
        return said;
    }
};

std::string words(int from) {
    std::string text;
    for (int i = from; i < from + 200; ++i) text += "word" + std::to_string(i % 300) + ",";
    return text;
}

constexpr std::string_view offer = "Sec-WebSocket-Extensions: permessage-deflate\r\n";

}  // namespace

TEST_CASE("a message is compressed once, for all members with a sufficient window") {
    hub rooms;
    core_of_test core(rooms);
    const auto keeps = core.join("room", offer), also = core.join("room", offer), plain = core.join("room");
    const auto forgets =
        core.join("room", "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover\r\n");
    const auto narrow = core.join("room", "Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=9\r\n");
    reader its;
    int compressed = 0;
    const std::string text = words(0);
    // Direct messages between room messages: both compressors must match the client's current window.
    for (int round = 0; round < 3; ++round) {
        core.send(keeps, whole_text("echo" + text));
        CHECK(its.read(core.raw(keeps), compressed) == "echo" + text + " ");
        rooms.send("room", text);
        rooms.send("room", words(100));
        rooms.send("room", "too short");
        const std::string same = core.raw(also);
        CHECK(same.size() < text.size());
        CHECK(core.raw(forgets) == same);
        CHECK(core.raw(keeps) == same);
        CHECK(its.read(same, compressed) == text + " " + words(100) + " too short ");
        CHECK(core.raw(narrow).size() > 2 * text.size());
        CHECK(core.raw(plain).contains(text));
    }
    CHECK(compressed == 9);
}

TEST_CASE("compressed messages that wait for a slow member count with their compressed size") {
    hub rooms({.member_bytes = 64'000});
    core_of_test core(rooms);
    std::string noise(50'000, '\0');  // text that compression reduces by at most a quarter
    std::uint32_t state = 1;
    for (char& c : noise) c = static_cast<char>(' ' + ((state = state * 1664525 + 1013904223) >> 26));
    const auto slow = core.join("room", offer);
    for (int i = 0; i < 6; ++i) rooms.send("room", noise), core.turn();
    std::string all;
    for (std::string more; !(more = core.raw(slow)).empty();) all += more;
    reader its;
    int compressed = 0;
    const std::string read = its.read(all, compressed);
    CHECK(compressed == 6);
    CHECK(count(read, noise) == 6);
}

TEST_CASE("rooms span cores, and any thread may send") {
    constexpr int cores = 3, members = 20, messages = 50;
    static constexpr std::size_t due = (cores + 1) * messages;
    hub rooms;
    std::atomic<int> ready = 0, done = 0, wrong = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < cores; ++i) {
        threads.emplace_back([&] {
            core_of_test core(rooms);
            for (int m = 0; m < members; ++m) core.join("all");
            ++ready;
            while (ready < cores) core.turn(1);
            for (int m = 0; m < messages; ++m) core.send(0, whole_text("m")), core.turn(1);
            std::vector<std::size_t> got(members);
            const auto all = [&] { return std::ranges::all_of(got, [](std::size_t n) { return n >= due; }); };
            for (int turns = 0; turns < 20'000 && !all(); ++turns)
                for (std::size_t m = 0; m < members; ++m) got[m] += count(core.seen(m), "text:m ");
            for (const std::size_t n : got) wrong += n != due;
            ++done;
            while (done < cores) core.turn(1);
        });
    }
    while (ready < cores) std::this_thread::yield();
    for (int m = 0; m < messages; ++m) rooms.send("all", "m");
    for (auto& t : threads) t.join();
    CHECK(wrong == 0);
    rooms.send("all", "m");  // has no effect after all cores have ended
}

TEST_CASE("a seat may outlive its session, and leave during a turn") {
    static std::optional<hub::seat> kept;
    hub rooms;
    app a;
    a.websocket("/", [&rooms](websocket peer) -> task<> {
        kept = rooms.join("room", peer);
        auto other = rooms.join("room", peer);
        rooms.send("room", "hello");
        co_await peer.receive();
    });
    {
        test::wire w(std::move(a));
        w.send(opening_request("/"));
        CHECK(count(w.until("hello\x81\x05hello"), "hello") == 2);
        w.send(whole_text("enough"));
        w.turn(4);
        rooms.send("room", "again");
        w.send(closing(1000));
        w.rest();
        w.hang_up();
        w.wait_for_close();
        rooms.send("room", "nobody");
        w.turn(4);
    }
    kept.reset();
}

TEST_CASE("a relay connects hubs of several machines") {
    struct cable final : hub_relay {
        void relay(std::string_view room, const websocket_message& message) override { other->deliver(room, message); }
        hub* other = nullptr;
    } there, back;
    hub one({}, there), two({}, back);
    there.other = &two;
    back.other = &one;
    core_of_test core(two);
    const auto member = core.join("room");
    one.send("room", "from afar");
    CHECK(core.seen(member) == "text:from afar ");
    core.send(member, whole_text("and back"));
    CHECK(core.seen(member) == "text:and back ");
}

namespace {

/// Returns the number of members, among the first ones, that have unread data.
std::size_t served(core_of_test& core, std::size_t members) {
    std::size_t n = 0;
    for (std::size_t m = 0; m < members; ++m) n += core.has_bytes(m);
    return n;
}

}  // namespace

TEST_CASE("a message to a large room takes several turns, between other work") {
    static constexpr std::size_t members = 1000;
    support::need_descriptors(3 * members);
    on_each_hub_backend([](std::unique_ptr<runtime::backend> io) {
        const std::string backend = io->name();
        CAPTURE(backend);
        hub rooms;
        core_of_test core(rooms, std::move(io));
        for (std::size_t m = 0; m < members; ++m) core.join("hall");
        const auto other = core.join("cellar");

        rooms.send("hall", std::string(16'000, 'x'));  // sent to 65 members per turn
        rooms.send("hall", "second");
        core.send(other, whole_text("echo"));
        CHECK(core.seen(other) == "text:echo ");
        const std::size_t so_far = served(core, members);
        CHECK(so_far > 0);
        CHECK(so_far < members);

        // Meanwhile, a message is sent, a member leaves, another member joins, and a small room gets a message.
        core.send(members - 1, closing(1000));
        const auto late = core.join("hall");
        rooms.send("hall", "third");
        rooms.send("cellar", "quick");
        CHECK(core.seen(other) == "text:quick ");
        CHECK(served(core, members) < members);
        core.turn(40);
        std::size_t wrong = 0;
        for (std::size_t m = 0; m + 1 < members; ++m)
            wrong += core.seen(m) != "text:16000 bytes text:second text:third ";
        CHECK(wrong == 0);
        CHECK(core.seen(members - 1) == "close:1000: ");
        CHECK(core.seen(late) == "text:third ");
    });
}

TEST_CASE("a large message goes to few members per turn, and a room's queue is bounded") {
    static constexpr std::size_t members = 100;
    on_each_hub_backend([](std::unique_ptr<runtime::backend> io) {
        const std::string backend = io->name();
        CAPTURE(backend);
        hub rooms({.member_bytes = 300'000});
        core_of_test core(rooms, std::move(io));
        for (std::size_t m = 0; m < members; ++m) core.join("hall");
        const std::size_t before = core.loop().memory().used();
        rooms.send("hall", std::string(60'000, 'x'));
        core.turn(1);
        CHECK(served(core, members) < members / 2);
        CHECK(core.loop().memory().used() >= before + 60'000);
        core.turn(20);
        CHECK(served(core, members) == members);
        for (std::size_t m = 0; m < members; ++m) REQUIRE(core.seen(m) == "text:60000 bytes ");

        // Messages arrive faster than they can be sent, so each turn sends the whole batch.
        for (int i = 0; i < 8; ++i) rooms.send("hall", std::string(60'000, 'y'));
        core.turn(1);
        CHECK(core.loop().memory().used() < before + 400'000 * members);
        std::string all;
        for (int i = 0; i < 100; ++i) all += core.seen(members - 1);
        CHECK(count(all, "60000 bytes") == 8);
    });
}
