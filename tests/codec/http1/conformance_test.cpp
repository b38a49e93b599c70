// SPDX-License-Identifier: Apache-2.0

// Runs the conformance cases as far as the codec determines the result. A message that an upper layer rejects (404,
// 405, 501 for an unknown method) counts as accepted; limits that an upper layer checks (the size of a body) are
// checked here.

#include "codec/http1/chunked.hpp"
#include "codec/http1/refusals.hpp"
#include "codec/http1/head_reading.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::codec::http1;
using codec::outcome;
using namespace std::string_view_literals;

namespace {

struct piece {
    std::string_view bytes;
    unsigned times;
};

struct conformance_case {
    std::string_view id;
    std::vector<piece> send;
    std::string_view verdicts;  // for "200;400,505" the first message gets 200, the second one 400 or 505
};

const conformance_case cases[] = {
#include "codec/http1/conformance_cases.inc"
};

constexpr int taken = 0;
constexpr int unfinished = -1;
constexpr std::uint64_t max_body = 1024 * 1024;

// This case ends in "0\r\nXX". XX may be the beginning of the name of a trailer field, so only a timeout can reject the
// message.
constexpr std::string_view cut_in_a_trailer = "ch-end-two-bytes";
const std::string own_statuses[] = {"400", "408", "413", "414", "417", "421", "431", "505"};

template <class T>
int verdict_of(const codec::parsed<T>& read) {
    if (read.state == outcome::bad) return read.why->status;
    return read.state == outcome::done ? taken : unfinished;
}

int read_chunks(std::string_view& rest) {
    for (std::uint64_t total = 0;;) {
        const auto size = read_chunk_size(rest);
        if (size.state != outcome::done) return verdict_of(size);
        rest.remove_prefix(size.used);
        if (size.value == 0) break;
        if (size.value > max_body || (total += size.value) > max_body) return 413;
        if (rest.size() < size.value) return unfinished;
        rest.remove_prefix(size.value);
        const auto end = read_chunk_end(rest);
        if (end.state != outcome::done) return verdict_of(end);
        rest.remove_prefix(end.used);
    }
    trailer_section section;
    const auto trailers = read_trailers(rest, test::usual_limits, section);
    rest.remove_prefix(trailers.used);
    return verdict_of(trailers);
}

/// Reads one message from `rest`; sets `last` if no other message may follow.
int read_message(std::string_view& rest, bool& last) {
    request_head head;
    const auto read = read_request_head(rest, test::usual_limits, head);
    last = read.state != outcome::done || !head.keep_alive;
    if (read.state != outcome::done) return verdict_of(read);
    rest.remove_prefix(read.used);
    // the connection has no TLS
    if (head.form == target_form::absolute && head.https) return refusals::target_misdirected.status;
    if (head.body == framing::chunked) return read_chunks(rest);
    if (head.body == framing::none) return taken;
    if (head.content_length > max_body) return 413;
    if (rest.size() < head.content_length) return unfinished;
    rest.remove_prefix(head.content_length);
    return taken;
}

std::vector<int> read_connection(std::string_view bytes) {
    std::vector<int> verdicts;
    for (bool last = false; !last && !bytes.empty();) {
        verdicts.push_back(read_message(bytes, last));
        last = last || verdicts.back() != taken;
    }
    return verdicts;
}

bool may_be_taken(std::string_view allowed) {
    for (; !allowed.empty(); allowed.remove_prefix(std::min<std::size_t>(4, allowed.size())))
        if (std::ranges::find(own_statuses, allowed.substr(0, 3)) == std::end(own_statuses)) return true;
    return false;
}

bool fits(int verdict, std::string_view allowed) {
    if (verdict == taken) return may_be_taken(allowed);
    if (verdict == unfinished) return allowed.empty() || allowed.contains("408");
    return allowed.contains(std::to_string(verdict));
}

}  // namespace

TEST_CASE("the codec agrees with every conformance case") {
    static test::page_end room(8 * 1024 * 1024);
    for (const conformance_case& one : cases) {
        CAPTURE(one.id);
        std::string bytes;
        for (const piece& part : one.send)
            for (unsigned i = 0; i < part.times; ++i) bytes += part.bytes;
        const auto verdicts = read_connection(room.place(bytes));

        const bool several = one.verdicts.contains(';');
        std::string_view left = one.verdicts;
        for (const int verdict : verdicts) {
            const auto allowed = left.substr(0, left.find(';'));
            const bool right = fits(verdict, allowed) || (verdict == unfinished && one.id == cut_in_a_trailer);
            CHECK_MESSAGE(right, one.id, " got ", verdict, " but may get ", allowed);
            left.remove_prefix(std::min(left.size(), allowed.size() + 1));
            if (!several) break;
        }
        if (several) CHECK(left.empty());
        CHECK(!verdicts.empty());
        if (bytes.size() < 4096) test::read_head(bytes);
    }
}
