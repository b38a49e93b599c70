// SPDX-License-Identifier: Apache-2.0
#include "compression/message_deflate.hpp"

#include "codec/websocket/deflate_offer.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace apus::compression;
using apus::codec::websocket::next_deflate;
using namespace std::string_view_literals;

namespace {

std::string inflated(message_inflater& with, std::string_view bytes, std::uint64_t most = 1'000,
                     std::size_t step = 1'000) {
    std::string out;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        const auto piece = bytes.substr(at, step);
        const auto outcome = with.take(piece, at + step >= bytes.size(), out, most);
        if (outcome == message_inflater::outcome::bad) return "bad";
        if (outcome == message_inflater::outcome::too_large) return "too large at " + std::to_string(out.size());
    }
    return out;
}

// Returns the terms of each permessage-deflate offer, as "15k 12- named", or "no" for an ignored offer.
std::string offers(std::string_view list) {
    std::string all;
    while (!list.empty()) {
        const auto terms = next_deflate(list);
        all += all.empty() ? "" : ", ";
        if (!terms) all += "no";
        else
            all += std::to_string(terms->server_bits) + (terms->server_keeps ? "k " : "- ") +
                   std::to_string(terms->client_bits) + (terms->client_keeps ? "k" : "-") +
                   (terms->names_client_bits ? " named" : "");
    }
    return all;
}

}  // namespace

TEST_CASE("the messages of RFC 7692, 7.2.3") {
    message_inflater in(15, true);
    CHECK(inflated(in, "\xf2\x48\xcd\xc9\xc9\x07\x00"sv) == "Hello");
    CHECK(inflated(in, "\xf2\x00\x11\x00\x00"sv) == "Hello");  // the bytes refer to the previous message
    message_inflater other(15, false);
    CHECK(inflated(other, "\x00\x05\x00\xfa\xff\x48\x65\x6c\x6c\x6f\x00"sv) == "Hello");
    // A message that ends with the BFINAL flag.
    CHECK(inflated(other, "\xf3\x48\xcd\xc9\xc9\x07\x00\x00"sv) == "Hello");
    CHECK(inflated(other, "\xf2\x48\x05\x00\x00\x00\xff\xff\xca\xc9\xc9\x07\x00"sv) == "Hello");
    CHECK(inflated(other, "\xf2\x48\xcd\xc9\xc9\x07\x00"sv, 1'000, 1) == "Hello");
    // Without context takeover, a reference to the previous message is invalid.
    CHECK(inflated(other, "\xf2\x00\x11\x00\x00"sv) == "bad");
}

TEST_CASE("messages round-trip, with and without context takeover, for all window sizes") {
    for (const unsigned bits : {9U, 12U, 15U}) {
        for (const bool keeps : {false, true}) {
            message_deflater out(bits, keeps);
            message_inflater in(bits, keeps);
            std::size_t first = 0;
            for (int i = 0; i < 20; ++i) {
                std::string message(1 + static_cast<std::size_t>(i) * 97, 'm');
                for (std::size_t at = 0; at < message.size(); ++at)
                    message[at] = static_cast<char>('a' + (at * at + static_cast<std::size_t>(i % 2)) % 23);
                std::string small;
                out.put(message, small);
                CHECK(inflated(in, small, 10'000, 7) == message);
                if (i == 18) first = small.size();
            }
            std::string again;
            out.put(std::string(1 + 18 * 97, 'm'), again);
            CHECK(again.size() < first);
        }
    }
}

TEST_CASE("decompression of a message stops at its limit") {
    message_deflater out(15, true);
    std::string small;
    out.put(std::string(10'000'000, '\0'), small);
    CHECK(small.size() < 60'000);
    message_inflater in(15, true);
    CHECK(inflated(in, small, 100'000) == "too large at 100001");
    message_inflater exact(15, true);
    CHECK(inflated(exact, small, 10'000'000).size() == 10'000'000);
    message_inflater broken(15, true);
    CHECK(inflated(broken, "\xff\xff\xff\xff") == "bad");
}

TEST_CASE("permessage-deflate offers") {
    CHECK(offers("permessage-deflate") == "15k 15k");
    CHECK(offers("permessage-deflate; client_max_window_bits") == "15k 15k named");
    CHECK(offers("Permessage-Deflate;client_max_window_bits=10;server_max_window_bits=\"9\"") == "9k 10k named");
    CHECK(offers("permessage-deflate; server_no_context_takeover; client_no_context_takeover") == "15- 15-");
    CHECK(offers("x-other; a=b, permessage-deflate; server_max_window_bits=8") == "no, 8k 15k");
    for (const auto bad : {"server_max_window_bits", "server_max_window_bits=7", "server_max_window_bits=16",
                           "server_max_window_bits=010",
                           "server_max_window_bits=", "client_max_window_bits=", "client_max_window_bits=1",
                           "server_no_context_takeover=1", "unknown", "client_max_window_bits; client_max_window_bits"})
        CHECK(offers("permessage-deflate; " + std::string(bad)) == "no");
}
