// SPDX-License-Identifier: Apache-2.0
#include "codec/nats/command.hpp"
#include "codec/nats/headers.hpp"
#include "codec/nats/operation.hpp"
#include "codec/nats/subject.hpp"

#include "property.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Arbitrary bytes from a NATS server. Each prefix of an operation must be partial, and views must be within the
// operation. Headers that were read must survive a round trip, and valid subjects must not add lines. The first byte of
// the input selects the limit of a message.

namespace {

using namespace apus::codec::nats;
using apus::codec::outcome;
using apus::fuzz::must;

bool within(std::string_view part, std::string_view all) {
    return part.empty() || (part.data() >= all.data() && part.data() + part.size() <= all.data() + all.size());
}

void check_headers(std::string_view block) {
    header_reader from(block);
    must(from.status() >= 0 && from.status() <= 999 && within(from.description(), block), "a status has three digits");
    std::string copy, names, again;
    for (header_line one; from.next(one);) {
        must(within(one.name, block) && within(one.value, block), "headers are within the block");
        must(is_header(one.name, one.value), "headers that are read can be sent");
        append_header(copy, one.name, one.value);
        names.append(one.name).append("=").append(one.value).append("\n");
    }
    if (copy.empty()) return;
    end_headers(copy);
    header_reader written(copy);
    for (header_line one; written.next(one);) again.append(one.name).append("=").append(one.value).append("\n");
    must(again == names, "written headers are read again");
}

void check_message(const operation& of, std::size_t most) {
    must(of.headers.size() + of.payload.size() <= most, "a message does not exceed the limit");
    must(!of.subject.empty(), "a message has a subject");
    check_headers(of.headers);
    must(!is_subject(of.subject) || is_pattern(of.subject), "a subject is a pattern");
    if (!is_subject(of.subject) || (!of.reply.empty() && !is_subject(of.reply))) return;
    std::string wire;
    append_publish(wire, of.subject, of.reply, of.headers, of.payload);
    must(std::ranges::count(wire, '\n') ==
             2 + std::ranges::count(of.headers, '\n') + std::ranges::count(of.payload, '\n'),
         "a subject adds no lines");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1) return 0;
    const std::size_t most = 16 * std::size_t(data[0]);
    std::string_view left(reinterpret_cast<const char*>(data) + 1, size - 1);
    while (true) {
        const auto got = read_operation(left, most);
        must((got.state == outcome::bad) == (got.why != nullptr),
             "a reason is set if and only if the operation is rejected");
        if (got.state != outcome::done) {
            must(got.used == 0, "only operations are consumed");
            break;
        }
        const std::string_view all = left.substr(0, got.used);
        const operation& of = got.value;
        must(!all.empty() && all.ends_with("\r\n"), "an operation ends with CRLF");
        must(within(of.text, all) && within(of.subject, all) && within(of.reply, all) && within(of.headers, all) &&
                 within(of.payload, all),
             "views are within the operation");
        for (std::size_t n = 0; n < std::min<std::size_t>(got.used, 64); ++n)
            must(read_operation(all.substr(0, n), most).state == outcome::partial, "a prefix is partial");
        if (of.what == kind::message) check_message(of, most);
        left.remove_prefix(got.used);
    }
    return 0;
}
