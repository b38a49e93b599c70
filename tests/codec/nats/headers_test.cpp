// SPDX-License-Identifier: Apache-2.0
#include "codec/nats/headers.hpp"

#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace apus::codec::nats;

namespace {

/// Returns a block as text: "503 No Responders|name=value|".
std::string shown(std::string_view block) {
    header_reader reader(block);
    std::string text = std::to_string(reader.status()) + " " + std::string(reader.description()) + "|";
    header_line one;
    while (reader.next(one)) text.append(one.name).append("=").append(one.value).append("|");
    return text;
}

struct example {
    std::string block, shown;
};

const std::vector<example> blocks = {
    {"NATS/1.0\r\n\r\n", "0 |"},
    {"NATS/1.0\r\nA: 1\r\nb:2\r\nA:  3 \t\r\n\r\n", "0 |A=1|b=2|A=3|"},
    {"NATS/1.0 503\r\n\r\n", "503 |"},
    {"NATS/1.0 404 No Messages \r\nA: b: c\r\n\r\n", "404 No Messages|A=b: c|"},
    {"NATS/1.0\r\nA:\r\n\r\n", "0 |A=|"},
    // Malformed blocks, as another client may publish them.
    {"", "0 |"},
    {"NATS/2.0\r\nA: 1\r\n\r\n", "0 |"},
    {"A: 1\r\n\r\n", "0 |"},
    {"NATS/1.0 5033\r\nA: 1\r\n\r\n", "0 |A=1|"},
    {"NATS/1.0 x\r\nA: 1\r\n\r\n", "0 |A=1|"},
    {"NATS/1.0\r\nA: 1", "0 |A=1|"},
    {"NATS/1.0\r\nno colon\r\n: x\r\nA b: 1\r\nC: a\x01\r\nD: a\nb\r\nE: 1\r\n\r\n", "0 |E=1|"},
    {"NATS/1.0\r\nA: 1\r\n\r\nB: 2\r\n\r\n", "0 |A=1|"},
};

struct header_example {
    std::string name, value;
    bool good;
};

const std::vector<header_example> headers = {
    {"Nats-Msg-Id", "42", true},
    {"a", "", true},
    {"a", "caf\xc3\xa9", true},
    {"a", "x\ty", true},
    {"", "x", false},
    {"a b", "x", false},
    {"a:", "x", false},
    {"a\r\nb", "x", false},
    {"a", "x\r\ny: z", false},
    {"a", "x\n", false},
    {"a", " x", false},
    {"a", "x ", false},
    {"a", std::string(1, '\0'), false},
};

}  // namespace

TEST_CASE("NATS: header blocks") {
    apus::test::page_end memory(4'096);
    for (const example& one : blocks) {
        CAPTURE(one.block);
        CHECK(shown(memory.place(one.block)) == one.shown);
        for (std::size_t n = 0; n < one.block.size(); ++n)
            shown(memory.place(std::string_view(one.block).substr(0, n)));
    }
}

TEST_CASE("NATS: headers that can be sent") {
    for (const header_example& one : headers) {
        CAPTURE(one.name);
        CAPTURE(one.value);
        CHECK(is_header(one.name, one.value) == one.good);
    }
    std::string block;
    append_header(block, "A", "1");
    append_header(block, "B", "");
    end_headers(block);
    CHECK(block == "NATS/1.0\r\nA: 1\r\nB: \r\n\r\n");
    CHECK(shown(block) == "0 |A=1|B=|");
}
