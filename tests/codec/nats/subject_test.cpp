// SPDX-License-Identifier: Apache-2.0
#include "codec/nats/subject.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace apus::codec::nats;

namespace {

struct example {
    std::string text;
    bool subject, pattern, queue;
};

const std::vector<example> examples = {
    {"a", true, true, true},
    {"orders.new.42", true, true, true},
    {"$JS.API.INFO", true, true, true},
    {"_INBOX.x-1", true, true, true},
    {"caf\xc3\xa9.a", true, true, true},
    {std::string(max_subject, 'a'), true, true, true},
    {"*", false, true, true},
    {">", false, true, true},
    {"a.*.b", false, true, true},
    {"a.>", false, true, true},
    {"a.>.b", false, false, true},
    {"a*", false, false, true},
    {"a>", false, false, true},
    {"a.b>", false, false, true},
    {"**", false, false, true},
    {"", false, false, false},
    {".", false, false, true},
    {".a", false, false, true},
    {"a.", false, false, true},
    {"a..b", false, false, true},
    {std::string(max_subject + 1, 'a'), false, false, false},
    // Would begin another argument or operation.
    {"a b", false, false, false},
    {"a\tb", false, false, false},
    {"a 5\r\nPUB b 0\r\n", false, false, false},
    {"a\r", false, false, false},
    {"a\n", false, false, false},
    {std::string("a\0b", 3), false, false, false},
    {"a\x01", false, false, false},
    {"a\x7f", false, false, false},
};

}  // namespace

TEST_CASE("NATS: subjects, patterns and queue groups") {
    for (const example& one : examples) {
        CAPTURE(one.text.substr(0, 40));
        CHECK(is_subject(one.text) == one.subject);
        CHECK(is_pattern(one.text) == one.pattern);
        CHECK(is_queue(one.text) == one.queue);
    }
}
