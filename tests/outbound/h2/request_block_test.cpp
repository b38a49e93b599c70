// SPDX-License-Identifier: Apache-2.0
#include "outbound/h2/request_block.hpp"

#include "codec/hpack/decoder.hpp"
#include "outbound/h2/wire.hpp"

using namespace apus;
using namespace apus::test::h2wire;

namespace {

// Returns the fields of the block, with a "!" after each field that is marked as never indexed.
std::string decoded(codec::hpack::decoder& by, std::string_view frames) {
    std::string block, all;
    while (!frames.empty()) {
        const auto h = codec::http2::read_frame_head(frames.data());
        block += frames.substr(codec::http2::frame_head_size, h.length);
        frames.remove_prefix(codec::http2::frame_head_size + h.length);
    }
    by.begin_block(1 << 20);
    std::string room(100'000, '\0');
    std::string_view in = block;
    codec::hpack::field f;
    while (by.next(in, room, f) == codec::hpack::step::field)
        all.append(f.name).append(": ").append(f.value).append(f.never_indexed ? "!" : "").append("\n");
    return all;
}

}  // namespace

TEST_CASE("HTTP/2 client: request heads, with repeated fields as indexes") {
    codec::hpack::encoder encoder;
    codec::hpack::decoder decoder;
    const outbound::h2::request_head head{"GET", "https", "a.test:81", "/x?y",
                                          "Host: b\r\nUser-Agent: apus\r\nAuthorization: secret\r\nCookie: "
                                          "c=d\r\nX-Mine:  padded \r\nProxy-Connection: x\r\n"};
    std::size_t first = 0;
    for (int i = 0; i < 2; ++i) {
        http::h2::frame_buffer out;
        outbound::h2::write_request(out, encoder, head, 1, true);
        CHECK(decoded(decoder, out.bytes()) ==
              ":method: GET\n:scheme: https\n:authority: a.test:81\n:path: /x?y\nuser-agent: apus\n"
              "authorization: secret!\ncookie: c=d!\nx-mine: padded\n");
        if (i == 0) first = out.size();
        else CHECK(out.size() < first - 10);
    }
}

TEST_CASE("HTTP/2 client: large heads use CONTINUATION frames") {
    codec::hpack::encoder encoder;
    codec::hpack::decoder decoder;
    http::h2::frame_buffer out;
    const std::string lines = "a: " + std::string(40'000, '~') + "\r\n";
    outbound::h2::write_request(out, encoder, {"PUT", "http", "a", "/", lines}, 7, false);
    client_frames parser;
    CHECK(parser.take(std::string(codec::http2::preface) + std::string(out.bytes())) ==
          "HEADERS:7 CONTINUATION:7 CONTINUATION:7");
    CHECK(decoded(decoder, out.bytes()).size() > 40'000);
}
