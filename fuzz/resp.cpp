// SPDX-License-Identifier: Apache-2.0
#include "codec/resp/command.hpp"
#include "codec/resp/reply.hpp"

#include "property.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Arbitrary bytes as replies of a Redis server. The split must not change the result, each prefix of a reply must be
// partial, and a reply must consist of its elements. The first two bytes of the input select limits and the size of
// the pieces.

namespace {

using namespace apus::codec::resp;
using apus::codec::outcome;
using apus::fuzz::must;

bool within(std::string_view part, std::string_view all) {
    return part.empty() || (part.data() >= all.data() && part.data() + part.size() <= all.data() + all.size());
}

// Reads all elements, without recursion.
void check_reply(std::string_view reply, std::size_t most_elements) {
    std::string_view from = reply, other = reply;
    std::size_t left = 1, elements = 0;
    for (; left != 0; --left, ++elements) {
        must(!from.empty(), "each announced item has an element");
        const element e = take_element(from);
        must(within(e.text, reply) && within(from, reply), "elements are within the reply");
        must(e.count == 0 || e.what >= kind::list, "scalars have no items");
        must(e.what != kind::attributes, "attributes are skipped");
        left += e.count;
    }
    must(from.empty() && elements <= most_elements, "a reply consists of its elements");
    (void)take_element(other);
    std::string_view skipped = reply;
    skip_element(skipped);
    must(skipped.empty(), "`skip_element` skips the whole reply");
    std::string command;
    append_command(command, {"SET", reply});
    must(reply_scanner().scan(command).used == command.size(), "a written command is a complete list");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const reply_limits most{.bytes = 1 + 256 * std::size_t(data[0]), .elements = 1 + 4 * std::size_t(data[0])};
    const std::size_t piece = 1 + data[1] % 16;
    std::string_view left(reinterpret_cast<const char*>(data) + 2, size - 2);
    while (true) {
        const auto got = reply_scanner(most).scan(left);
        reply_scanner stepwise(most);
        auto again = stepwise.scan({});
        for (std::size_t n = piece; again.state == outcome::partial; n += piece) {
            again = stepwise.scan(left.substr(0, n));
            if (n >= left.size()) break;
        }
        must(again.state == got.state && again.used == got.used,
             "the result does not depend on how the reply is split");
        if (got.state != outcome::done) {
            must(got.used == 0 && (got.state == outcome::bad) == (got.why != nullptr),
                 "a reason is set if and only if the reply is rejected");
            break;
        }
        must(got.used <= most.bytes, "a complete reply does not exceed the size limit");
        for (std::size_t n = 0; n < std::min<std::size_t>(got.used, 64); ++n)
            must(reply_scanner(most).scan(left.substr(0, n)).state == outcome::partial,
                 "a prefix of a complete reply is partial");
        check_reply(left.substr(0, got.used), most.elements);
        left.remove_prefix(got.used);
    }
    return 0;
}
