// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as the output of an HTTP/2 server, for a client with three requests. The first byte selects the size
// of the pieces, which must not affect the results. Memory must stay within the windows. Requests may end at any time.
#include "outbound/h2/session.hpp"
#include "property.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

using apus::fuzz::must;
using apus::outbound::h2::session;

namespace {

struct asked final : apus::outbound::h2::stream {
    asked() : stream(head) {}
    void on_event() noexcept override { ++events; }
    void on_room() noexcept override {}
    apus::outbound::received head;
    std::string body;
    unsigned events = 0;
    bool left = false;
};

struct run {
    explicit run(unsigned choices) : choices_(choices) {
        for (auto& one : all) {
            const bool uploads = &one == &all[2];
            of.open(one, {uploads ? "POST" : "GET", "https", "a", "/", "user-agent: a\r\ncookie: b\r\n"}, !uploads);
            if (uploads) of.send(one, std::string(100'000, 'u'));
        }
    }
    ~run() {
        for (auto& one : all) of.leave(one);
        must(of.streams() == 0, "the session has no stream after `leave`");
    }

    void receive(std::string_view bytes, std::size_t cut, bool reads) {
        unsigned turn = 0;
        for (std::size_t at = 0; at < bytes.size(); at += cut) {
            of.receive(bytes.substr(at, cut), 1'000'000 + turn);
            for (int n = 0; of.deliver(); ++n) must(n < 10, "a piece of input causes at most 10 events");
            if (!reads) continue;
            of.write_data(20'000);
            of.output().consume(of.output().size());
            for (auto& one : all) read(one);
            // A request may end at any time.
            if (++turn % 16 == choices_ % 16) of.leave(all[choices_ / 16 % all.size()]);
        }
    }
    void read(asked& one) {
        std::string piece;
        of.take(one, piece);
        must(piece.size() <= session::stream_window, "unread bytes do not exceed the window");
        of.return_window(one, piece.size());
        one.body += piece;
    }
    std::string text() {
        std::string text;
        for (auto& one : all) {
            of.take(one, one.body);
            text += one.failure ? one.failure->detail() : "";
            if (one.has_head) text += std::to_string(one.head.head.status) + one.head.bytes;
            text += one.ended ? "ended" : "open";
            if (!one.failure) text += one.body;  // the bytes that arrive before a failure depend on the pieces
        }
        return text + (of.failure() ? of.failure()->detail() : "") + std::to_string(of.available());
    }

    session of{{1000, 20, 2000}};
    std::array<asked, 3> all;

private:
    unsigned choices_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
    const std::size_t cut = std::max<std::size_t>(1, data[0]);
    run whole(data[1]), pieces(data[1]), reading(data[1]);
    whole.receive(bytes, bytes.size() + 1, false);
    pieces.receive(bytes, cut, false);
    must(whole.text() == pieces.text(), "the result does not depend on how the input is split");
    reading.receive(bytes, cut, true);
    return 0;
}
