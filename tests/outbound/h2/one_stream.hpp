// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/h2/session.hpp"
#include "outbound/h2/wire.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

// A client's session without I/O.

// Prefixes of results of `rig::line`.
#define VIOLATES "error the upstream violates HTTP/2: "
#define INVALID "error invalid response from the upstream: "

namespace apus::test::h2wire {

/// Sizes of the pieces that tests pass to a session: all bytes, single bytes, and pieces across frame boundaries.
constexpr std::size_t piece_sizes[] = {~std::size_t{0}, 1, 7};

struct one_stream final : outbound::h2::stream {
    one_stream() : stream(head) {}
    void on_event() noexcept override { ++events; }
    void on_room() noexcept override { ++rooms; }
    outbound::received head;
    int events = 0, rooms = 0;
};

/// A session with the streams 1, 3, 5 and so on.
struct rig {
    explicit rig(int count = 1, bool with_settings = true) : s({8192, 100, 16384}) {
        take();
        for (int i = 0; i < count; ++i) open(true);
        if (with_settings) say(settings());
    }
    ~rig() {
        for (auto& one : all) s.leave(*one);
    }
    one_stream& open(bool ends, std::string_view method = "GET") {
        all.push_back(std::make_unique<one_stream>());
        s.open(*all.back(), {method, "http", "a", "/", "user-agent: x\r\n"}, ends);
        take();
        return *all.back();
    }
    /// Passes bytes to the session in pieces, then delivers all events.
    void say(std::string_view bytes, std::size_t piece = ~std::size_t{0}) {
        for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size())))
            s.receive(bytes.substr(0, piece), now);
        while (s.deliver()) {}
    }
    /// Returns the frames that the session has written since the last call.
    std::string take() {
        const std::string text = parser.take(s.output().bytes());
        s.output().consume(s.output().size());
        return text;
    }
    std::string write(std::size_t room = 1 << 20) {
        s.write_data(room);
        return take();
    }
    std::string body(int i = 0) {
        std::string into;
        s.take(*all[static_cast<std::size_t>(i)], into);
        return into;
    }
    /// The result of a stream: "200 body", "error why", or "open".
    std::string line(int i = 0) {
        const auto& one = *all[static_cast<std::size_t>(i)];
        if (one.failure) return "error " + one.failure->detail();
        if (!one.ended) return "open";
        return std::to_string(one.head.head.status) + " " + body(i);
    }

    std::uint64_t now = 1'000'000;
    client_frames parser;
    outbound::h2::session s;
    std::vector<std::unique_ptr<one_stream>> all;
};

}  // namespace apus::test::h2wire
