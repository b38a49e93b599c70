// SPDX-License-Identifier: Apache-2.0
#include <apus/conditional.hpp>

#include "base/keyed_hash.hpp"
#include "codec/fields/date.hpp"
#include "http/selection.hpp"
#include "runtime/loop.hpp"

#include <array>
#include <stdexcept>

namespace apus {
namespace {

codec::fields::entity_tag tag_of(std::string_view etag) {
    codec::fields::entity_tag tag;
    if (!codec::fields::read_entity_tag(etag, tag))
        throw std::invalid_argument(
            "an entity tag must be in quotes, such as \"v7\", and must not contain quotes, spaces or control "
            "characters");
    return tag;
}

}  // namespace

std::optional<response> check_preconditions(request& req, const response_validators& now) {
    using codec::fields::verdict;
    codec::fields::current_validators current{.exists = now.exists};
    if (!now.etag.empty()) current.tag = tag_of(now.etag);
    if (now.modified >= 0) current.modified = now.modified;
    const http::selection asked(detail::exchange_of(req));
    const bool reads = req.method() == method::get || req.method() == method::head;
    const verdict found = codec::fields::evaluate(asked.conditions, current, reads, runtime::unix_seconds());
    if (found == verdict::go_on) return std::nullopt;
    response out = http::unmet(found);
    if (found == verdict::not_modified) set_validators(out, now);
    return out;
}

void set_validators(response& out, const response_validators& now) {
    if (!now.etag.empty()) {
        (void)tag_of(now.etag);
        out.remove_header("etag");
        out.header("etag", now.etag);
    }
    if (now.modified >= 0) {
        std::array<char, codec::fields::date_size> date{};
        codec::fields::write_date(now.modified, date.data());
        out.remove_header("last-modified");
        out.header("last-modified", {date.data(), date.size()});
    }
}

std::string etag_of(std::string_view bytes) {
    constexpr base::hash_secret no_secret{0x6170757320657461, 0x67206f6620627974};
    constexpr char digits[] = "0123456789abcdef";
    std::uint64_t hash = base::keyed_hash(bytes, no_secret);
    std::string tag(18, '"');
    for (std::size_t at = 16; at > 0; --at, hash >>= 4) tag[at] = digits[hash & 15];
    return tag;
}

}  // namespace apus
