// SPDX-License-Identifier: Apache-2.0
#include <apus/response_cache.hpp>

#include "base/ascii.hpp"
#include "codec/fields/cache_control.hpp"
#include "codec/fields/entity_tag.hpp"
#include "codec/fields/list.hpp"
#include "http/list_fields.hpp"
#include "http/origin.hpp"
#include "middleware/detached_request.hpp"
#include "middleware/middleware_counts.hpp"
#include "middleware/single_flight.hpp"
#include "middleware/nonce.hpp"
#include "middleware/response_store.hpp"
#include "runtime/loop.hpp"

#include <apus/client_info.hpp>
#include <apus/conditional.hpp>
#include <apus/identity.hpp>
#include <apus/session.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <utility>

namespace apus {
namespace {

using middleware::stored_response;
using stored = std::shared_ptr<const stored_response>;

void count_search(middleware::cache_cell cell) { middleware::counts_of(middleware::cache_counts).add(cell); }

std::uint64_t loop_time() noexcept { return runtime::loop::current().now(); }

std::string key_of(std::string_view scheme, std::string_view host, std::string_view target) {
    std::string key;
    key.reserve(scheme.size() + host.size() + target.size() + 2);
    key.append(scheme).append(" ");
    for (const char c : host) key += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    return key.append(" ").append(target);
}

// Returns the cache key. It contains the scheme and host that the client requested: behind a proxy, requests for
// several public hosts may arrive with the same Host, and the response to an http request may be a redirect to https.
std::string key_of(request& req) {
    const auto* client = req.find<client_info>();
    return key_of(client ? std::string_view(client->scheme) : "http", http::requested_host(req), req.target());
}

// Whether the request has credentials of any kind. RFC 9111, 3.5, covers only Authorization; here its rule is applied
// to all credentials.
bool has_credentials(request& req) noexcept {
    const auto* told = req.find<session>();
    return !req.header("authorization").empty() || req.find<identity>() || (told && (!told->empty() || told->has_id()));
}

// The response to a GET with a body may depend on the body, which is not in the key (RFC 9110, 9.3.1).
bool has_body(request& req) noexcept {
    const auto& head = detail::exchange_of(req).head;
    return head.body == codec::http1::framing::chunked ||
           (head.body == codec::http1::framing::sized && head.content_length > 0);
}

constexpr std::size_t max_tags = 64;

// Returns the response and its lifetime if it may be stored (RFC 9111, 3), otherwise null.
std::shared_ptr<stored_response> keep(request& req, const response& res, const response_cache_options& how) {
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
    made->stored_at = loop_time();
    made->fresh_until = made->stored_at + *lifetime * std::uint64_t{1000};
    made->usable_until = made->fresh_until + stale * std::uint64_t{1000};
    return made;
}

void give(const stored_response& from, request& req, response& out) {
    out.clear();
    const bool validated = !from.etag.empty();
    auto unmet = validated ? check_preconditions(req, {.etag = from.etag}) : std::nullopt;
    const bool whole = !unmet;
    if (unmet) out = *std::move(unmet);
    else out.status(from.status).body(from.body, from.type);
    if (out.status() == 412) return;
    for (const auto& [name, value] : from.fields)
        if (whole || !base::equal_ignoring_case(name, "etag")) out.header(name, value);
    out.header("Age", std::to_string((loop_time() - from.stored_at) / 1000));
}

}  // namespace

struct response_cache::parts final : middleware::detached_request::listener {
    parts(const response_cache_options& o, std::shared_ptr<middleware::response_store> s)
        : how(o), store(std::move(s)) {}

    stored usable(const std::string& key, request& req) const {
        auto found = store->find(key, req);
        const bool may = found && loop_time() < found->usable_until && (!has_credentials(req) || found->for_authorized);
        return may ? found : nullptr;
    }

    // Stores the response if it may be stored. Otherwise records that the key cannot be cached, so that later requests
    // with this key do not wait for each other.
    // `began`: generation of the store before the handler was called.
    void consider(const std::string& key, request& req, response& res, std::uint64_t began) {
        auto made = res.producer().self ? nullptr : keep(req, res, how);
        place(key) = made ? 0 : hash(key);
        if (made) store->put(key, std::move(made), req, began);
    }
    bool may_be_cacheable(const std::string& key) { return place(key) != hash(key); }

    static std::size_t hash(const std::string& key) noexcept { return std::hash<std::string>()(key) | 1; }
    void forget(std::string_view host, std::string_view target) {
        for (const std::string_view scheme : {"http", "https"}) store->erase(key_of(scheme, host, target));
    }
    std::size_t& place(const std::string& key) noexcept { return uncacheable[hash(key) / 2 % uncacheable.size()]; }

    void refresh(const std::string& key, next_handler rest, request& req);
    void ended(middleware::detached_request& which) noexcept override {
        refreshing.remove_if([&](auto& r) { return r.get() == &which; });
    }

    const response_cache_options how;
    const std::shared_ptr<middleware::response_store> store;
    middleware::single_flight flights;
    std::array<std::size_t, 1024> uncacheable{};
    std::list<std::unique_ptr<middleware::detached_request>> refreshing;
};

namespace {

// `Behind` is the awaitable response of the inner handler.
template <class Parts, class Behind>
task<response> lead(Parts& p, std::string key, Behind behind, request& req, std::uint64_t began) {
    middleware::single_flight::leader leader(p.flights, key);
    response res = co_await std::move(behind);
    p.consider(key, req, res, began);
    leader.done();
    co_return res;
}

template <class Parts>
task<response> follow(Parts& p, std::string key, next_handler rest, request& req) {
    bool leads = false;
    {
        middleware::single_flight::follower waiting(p.flights, key);
        leads = co_await waiting;
    }
    if (leads) {
        count_search(middleware::cache_misses);
        const std::uint64_t began = p.store->generation();
        co_return co_await lead(p, key, rest(req), req, began);
    }
    if (const auto found = p.usable(key, req)) {
        count_search(middleware::cache_hits);
        response out;
        give(*found, req, out);
        co_return out;
    }
    count_search(middleware::cache_misses);
    co_return co_await rest(req);
}

template <class Parts>
task<response> forget_later(Parts& p, pending_response behind, request& req) {
    response res = co_await std::move(behind);
    if (res.status() < 400) p.forget(http::requested_host(req), req.target());
    co_return res;
}

template <class Parts>
task<response> consider_later(Parts& p, std::string key, pending_response behind, request& req, std::uint64_t began) {
    response res = co_await std::move(behind);
    p.consider(key, req, res, began);
    co_return res;
}

bool safe(method verb) noexcept {
    return verb == method::get || verb == method::head || verb == method::options || verb == method::trace;
}

}  // namespace

void response_cache::parts::refresh(const std::string& key, next_handler rest, request& req) {
    auto made = std::make_unique<middleware::detached_request>(req, *this);
    auto& work = *made;
    if (const auto* client = req.find<client_info>()) work.in().set(*client);
    flights.begin(key);
    refreshing.push_back(std::move(made));
    const std::uint64_t began = store->generation();
    work.begin(lead(*this, key, rest(work.in()), work.in(), began));
}

response_cache::response_cache() : response_cache(response_cache_options()) {}
response_cache::response_cache(const response_cache_options& how)
    : parts_(new parts(how, std::make_shared<middleware::response_store>(how.bytes))) {}
response_cache::response_cache(const response_cache& other)
    : parts_(new parts(other.parts_->how, other.parts_->store)) {}
response_cache::~response_cache() { delete parts_; }

void response_cache::drop(std::string_view host, std::string_view target) { parts_->forget(host, target); }

void response_cache::drop_tag(std::string_view tag) { parts_->store->erase_tag(tag); }
void response_cache::drop_all() { parts_->store->clear(); }

pending_response response_cache::operator()(request& req, response& out, next_handler rest) const {
    parts& p = *parts_;
    const method verb = req.method();
    if (verb == method::options || verb == method::trace) return rest.run(req, out);
    if (!safe(verb)) {
        pending_response behind = rest.run(req, out);
        if (behind) return forget_later(p, std::move(behind), req);
        if (out.status() < 400) p.forget(http::requested_host(req), req.target());
        return {};
    }
    if (!req.header("range").empty() || has_body(req)) return rest.run(req, out);
    std::string key = key_of(req);
    if (const auto found = p.usable(key, req)) {
        const bool stale = loop_time() >= found->fresh_until;
        if (stale && verb == method::get && !has_credentials(req) && !p.flights.in_flight(key))
            p.refresh(key, rest, req);
        count_search(stale ? middleware::cache_stale : middleware::cache_hits);
        give(*found, req, out);
        return {};
    }
    if (verb == method::head) return count_search(middleware::cache_misses), rest.run(req, out);
    const bool shares = !has_credentials(req) && p.may_be_cacheable(key);
    if (shares && p.flights.in_flight(key)) return follow(p, std::move(key), rest, req);
    count_search(middleware::cache_misses);
    const std::uint64_t began = p.store->generation();
    pending_response behind = rest.run(req, out);
    if (!behind) return p.consider(key, req, out, began), pending_response();
    if (!shares) return consider_later(p, std::move(key), std::move(behind), req, began);
    p.flights.begin(key);
    return lead(p, std::move(key), std::move(behind), req, began);
}

}  // namespace apus
