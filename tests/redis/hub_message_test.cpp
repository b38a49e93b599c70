// SPDX-License-Identifier: Apache-2.0
#include "redis/hub_message.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus;
using namespace apus::redis;

namespace {

const std::string id(node_size, 'n');

}  // namespace

TEST_CASE("messages of rooms: a serialized message is parsed") {
    struct row {
        std::string room, bytes;
        bool binary;
    };
    const row rows[] = {
        {"room", "hello", false}, {"", "", false}, {"r\xc3\xa4um", "\xe2\x82\xac", false}, {"room", "\xff\0", true}};
    for (const auto& [room, bytes, binary] : rows) {
        CAPTURE(room);
        const std::string written = to_bytes({id, room, {bytes, binary}});
        const auto read = read_hub_message(written);
        REQUIRE(read);
        CHECK(read->node == id);
        CHECK(read->room == room);
        CHECK(read->message.bytes == bytes);
        CHECK(read->message.binary == binary);
    }
}

TEST_CASE("messages of rooms: invalid bytes and other versions are rejected") {
    const std::string whole = to_bytes({id, "room", {"", false}});
    for (std::size_t size = 0; size < whole.size(); ++size) CHECK_FALSE(read_hub_message(whole.substr(0, size)));
    const std::string head = whole.substr(0, 8 + node_size);
    const std::string rows[] = {
        "apus-rm2" + whole.substr(8),
        head + std::string("x\0\0\0\0", 5),
        head + "t\xff\xff\xff\xff" + "room",
        head + std::string("t\0\0\0\0\xff", 6),
        "hello",
    };
    for (const auto& bytes : rows) {
        CAPTURE(bytes);
        CHECK_FALSE(read_hub_message(bytes));
    }
}
