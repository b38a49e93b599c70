// SPDX-License-Identifier: Apache-2.0
#include "middleware/kept_response.hpp"

#include "base/ascii.hpp"
#include "codec/fields/cache_control.hpp"
#include "codec/fields/entity_tag.hpp"
#include "codec/fields/list.hpp"
#include "http/list_fields.hpp"
#include "middleware/nonce.hpp"
#include "runtime/loop.hpp"

#include <apus/identity.hpp>
#include <apus/session.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace apus::middleware {
namespace {

constexpr std::size_t max_tags = 64;

}  // namespace

bool has_credentials(request& req) noexcept {
    const auto* told = req.find<session>();
    return !req.header("authorization").empty() || req.find<identity>() || (told && (!told->empty() || told->has_id()));
}

std::shared_ptr<stored_response> kept_response(request& req, const response& res, const response_cache_options& how) {
    const auto said = codec::fields::read_cache_control(http::whole_field(res, "cache-control"));
    const int status = res.status();
    const bool good = status == 200 || status == 203 || status == 301 || status == 308 || (how.errors && status >= 400);
    auto lifetime = said.s_maxage ? said.s_maxage : said.max_age;
    const bool missing = (status == 404 || status == 410) && res.header("cache-control").empty();
    if (missing && how.not_found > duration())
        lifetime = static_cast<std::uint32_t>(std::min<std::int64_t>(how.not_found.milliseconds() / 1'000, 86'400));
    if (!(good || missing) || !lifetime || said.no_store || said.no_cache || said.is_private) return nullptr;
    const std::uint32_t stale = said.must_revalidate ? 0 : said.stale_while_revalidate;
    if (*lifetime + std::uint64_t{stale} == 0 || res.body().size() > how.largest) return nullptr;
    if (req.find<middleware::nonce_of_answer>() || req.find<middleware::token_in_answer>()) return nullptr;
    if (!res.header("set-cookie").empty() || !res.header("content-range").empty()) return nullptr;

    auto made = std::make_shared<stored_response>(stored_response::copy_of(res));
    made->for_authorized = said.is_public || said.s_maxage || said.must_revalidate;
    if (has_credentials(req) && !made->for_authorized) return nullptr;
    for (const auto& [name, value] : made->fields) {
        if (!base::equal_ignoring_case(name, "vary")) continue;
        for (std::string_view rest = value; !rest.empty();) {
            const auto field = codec::fields::next_of_list(rest);
            if (field == "*") return nullptr;
            if (!field.empty()) made->vary.emplace_back(field, http::whole_field(req, field));
        }
    }
    const std::string tags = http::whole_field(res, "cache-tag");
    for (std::string_view rest = tags; !rest.empty();) {
        const auto tag = codec::fields::next_of_list(rest);
        if (!tag.empty() && std::ranges::find(made->tags, tag) == made->tags.end()) made->tags.emplace_back(tag);
    }
    if (made->tags.size() > max_tags) return nullptr;
    codec::fields::entity_tag tag;
    if (status == 200 && codec::fields::read_entity_tag(res.header("etag"), tag)) made->etag = res.header("etag");
    made->stored_at = runtime::loop::current().now();
    made->fresh_until = made->stored_at + *lifetime * std::uint64_t{1000};
    made->usable_until = made->fresh_until + stale * std::uint64_t{1000};
    return made;
}

}  // namespace apus::middleware
