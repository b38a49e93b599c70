// SPDX-License-Identifier: Apache-2.0
#include <apus/compression.hpp>

#include "base/ascii.hpp"
#include "codec/fields/list.hpp"
#include "compression/coding.hpp"
#include "http/exchange.hpp"
#include "middleware/decoded_body.hpp"

#include <apus/sleep.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace apus {
namespace {

// The content codings in Content-Encoding, except identity.
struct named_codings {
    unsigned count = 0;
    std::string_view first;
};

named_codings codings_of(const request& req) {
    constexpr std::string_view name = "content-encoding";
    named_codings found;
    for (std::size_t i = 0; i < req.header_count(); ++i) {
        const field_view f = req.header_at(i);
        if (f.name.size() != name.size() || !base::equal_ignoring_case(f.name, name)) continue;
        for (std::string_view rest = f.value; !rest.empty();) {
            const auto coding = codec::fields::next_of_list(rest);
            if (coding.empty() || base::equal_ignoring_case(coding, "identity")) continue;
            if (++found.count == 1) found.first = coding;
        }
    }
    return found;
}

bool has_body(const http::exchange& x) noexcept { return !x.body_ended || !x.body.empty(); }

// Stored with the request: the response's producer may still read the body after the handler has returned, so the
// decoder must live until the body ends.
struct decoding {
    std::unique_ptr<middleware::decoded_pieces> pieces;
};

void give(http::exchange& x, middleware::decoded_whole& whole) {
    x.collected = std::move(whole.text());
    x.body = x.collected;
}

task<response> decode_later(std::unique_ptr<middleware::decoded_whole> whole, next_handler rest, request& req) {
    bool ended = false;
    while (!ended) {
        co_await yield();
        ended = whole->go_on();
    }
    if (const auto* why = whole->refused()) co_await fail(why->status, why->reason);
    give(detail::exchange_of(req), *whole);
    whole.reset();
    co_return co_await rest(req);
}

}  // namespace

decompress_requests::decompress_requests() : decompress_requests(decompress_requests_options()) {}

decompress_requests::decompress_requests(const decompress_requests_options& how) : how_(how) {
    if (how.ratio < 1) throw std::invalid_argument("decompress_requests: `ratio` must be at least 1");
}

// Rejects a request with an unsupported coding, and lists the supported codings (RFC 9110, 15.5.16).
pending_response decompress_requests::refuse(std::string_view why, response& out) const {
    std::string names;
    for (auto coding : how_.accept)
        if (coding != content_coding::identity) names.append(names.empty() ? "" : ", ").append(coding_name(coding));
    if (names.empty()) names = "identity";
    detail::refuse(error(415, std::string(why) + "; supported: " + names), out);
    out.header("Accept-Encoding", names);
    return {};
}

pending_response decompress_requests::operator()(request& req, response& out, next_handler rest) const {
    const auto named = codings_of(req);
    http::exchange& x = detail::exchange_of(req);
    if (named.count == 0 || !has_body(x) || req.find<decoding>()) return rest.run(req, out);
    if (named.count > 1) return refuse("unsupported: more than one content coding", out);
    const auto coding = compression::coding_of(named.first);
    if (!coding || std::find(std::begin(how_.accept), std::end(how_.accept), *coding) == std::end(how_.accept))
        return refuse("unsupported content coding", out);

    const compression::decoding_bounds bounds{.size = x.max_body, .ratio = how_.ratio};
    auto& kept = req.set(decoding());
    if (x.plan->body == http::body_mode::whole) {
        auto whole = std::make_unique<middleware::decoded_whole>(x.body, *coding, bounds);
        if (!whole->go_on()) return decode_later(std::move(whole), rest, req);
        if (const auto* why = whole->refused()) return fail(why->status, why->reason);
        give(x, *whole);
    } else if (x.plan->body == http::body_mode::streamed) {
        kept.pieces = std::make_unique<middleware::decoded_pieces>(*coding, bounds);
        x.filter = kept.pieces.get();
    }
    return rest.run(req, out);
}

}  // namespace apus
