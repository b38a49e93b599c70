// SPDX-License-Identifier: Apache-2.0
#include <apus/response_cache.hpp>

#include "base/ascii.hpp"
#include "http/origin.hpp"
#include "middleware/detached_request.hpp"
#include "middleware/kept_response.hpp"
#include "middleware/middleware_counts.hpp"
#include "middleware/response_store.hpp"
#include "middleware/second_level.hpp"
#include "middleware/single_flight.hpp"
#include "runtime/loop.hpp"

#include <apus/client_info.hpp>
#include <apus/conditional.hpp>
#include <apus/task_scope.hpp>

#include <array>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <utility>

namespace apus {
namespace {

using middleware::has_credentials;
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

// The response to a GET with a body may depend on the body, which is not in the key (RFC 9110, 9.3.1).
bool has_body(request& req) noexcept {
    const auto& head = detail::exchange_of(req).head;
    return head.body == codec::http1::framing::chunked ||
           (head.body == codec::http1::framing::sized && head.content_length > 0);
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
    parts(const response_cache_options& o, std::shared_ptr<middleware::response_store> s,
          std::shared_ptr<middleware::second_level> l)
        : how(o), store(std::move(s)), second(std::move(l)) {}

    stored usable(const std::string& key, request& req) const {
        auto found = store->find(key, req);
        const bool may = found && loop_time() < found->usable_until && (!has_credentials(req) || found->for_authorized);
        return may ? found : nullptr;
    }

    // Stores the response if it may be stored. Otherwise records that the key cannot be cached, so that later requests
    // with this key do not wait for each other. Returns the response if it may be stored; otherwise null.
    // `began`: generation of the store before the handler was called.
    stored consider(const std::string& key, request& req, response& res, std::uint64_t began) {
        stored made = res.producer().self ? nullptr : middleware::kept_response(req, res, how);
        place(key) = made ? 0 : hash(key);
        if (made) store->put(key, made, req, began);
        return made;
    }
    bool may_be_cacheable(const std::string& key) { return place(key) != hash(key); }

    static std::size_t hash(const std::string& key) noexcept { return std::hash<std::string>()(key) | 1; }
    // Returns the number of the last drop before, for `second_level::finish_drops`.
    std::uint64_t forget(std::string_view host, std::string_view target) {
        const std::uint64_t before = second ? second->last_drop() : 0;
        for (const std::string_view scheme : {"http", "https"}) {
            const std::string key = key_of(scheme, host, target);
            if (second) second->drop_target(key);  // first, so that a search that begins meanwhile knows of the drop
            store->erase(key);
        }
        return before;
    }
    void write(std::string key, stored what, std::string began);
    std::size_t& place(const std::string& key) noexcept { return uncacheable[hash(key) / 2 % uncacheable.size()]; }

    void refresh(const std::string& key, next_handler rest, request& req);
    void ended(middleware::detached_request& which) noexcept override {
        refreshing.remove_if([&](auto& r) { return r.get() == &which; });
    }

    const response_cache_options how;
    const std::shared_ptr<middleware::response_store> store;
    const std::shared_ptr<middleware::second_level> second;  // null without a store of processes
    middleware::single_flight flights;
    std::array<std::size_t, 1024> uncacheable{};
    std::list<std::unique_ptr<middleware::detached_request>> refreshing;
    static constexpr std::size_t most_writing = 16 * 1024 * 1024;
    std::size_t writing = 0;  // bytes of responses that are written to the second level
    task_scope writes{{.on_failure = task_failure::only_logged, .limit = 10'000, .name = "response cache"}};
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

// Asks the second level. Without a response there, runs the handler, and stores its response on both levels.
// `refreshes`: whether a stale response counts as none.
template <class Parts>
task<response> lead_shared(Parts& p, std::string key, next_handler rest, request& req, bool refreshes) {
    middleware::single_flight::leader leader(p.flights, key);
    const std::uint64_t began = p.store->generation();
    auto shared = co_await p.second->find(key, req);
    if (shared.found && !(refreshes && loop_time() >= shared.found->fresh_until)) {
        p.store->put(key, shared.found, req, began);
        leader.done();
        response out;
        give(*shared.found, req, out);
        co_return out;
    }
    response res = co_await rest(req);
    stored made = p.consider(key, req, res, began);
    leader.done();
    // Middleware inside may have found credentials. The second level knows by itself whether a tag was dropped.
    if (made && !has_credentials(req) && !shared.began.empty())
        p.write(std::move(key), std::move(made), std::move(shared.began));
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
        if (p.second) co_return co_await lead_shared(p, key, rest, req, false);
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
    if (res.status() >= 400) co_return res;
    const std::uint64_t before = p.forget(http::requested_host(req), req.target());
    if (p.second) co_await p.second->finish_drops(before);
    co_return res;
}

// `since`: number of the last drop before the drops of this request.
template <class Parts>
task<response> send_after_drops(Parts& p, response res, std::uint64_t since) {
    co_await p.second->finish_drops(since);
    co_return res;
}

// Holds the size of a response that is written to the second level.
class written_bytes {
public:
    written_bytes(std::size_t& sum, std::size_t size) noexcept : sum_(sum), size_(size) { sum_ += size_; }
    written_bytes(const written_bytes&) = delete;
    written_bytes& operator=(const written_bytes&) = delete;
    ~written_bytes() { sum_ -= size_; }

private:
    std::size_t& sum_;
    const std::size_t size_;
};

template <class Parts>
task<> write_later(Parts& p, std::string key, stored what, std::string began) {
    const written_bytes held(p.writing, what->size());
    co_await p.second->put(std::move(key), std::move(what), std::move(began));
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

// The client does not wait for the second level. If writing is too slow, responses are not written.
void response_cache::parts::write(std::string key, stored what, std::string began) {
    const bool fits = writing + what->size() <= most_writing;
    if (!fits || !writes.try_spawn(write_later(*this, std::move(key), std::move(what), std::move(began))))
        middleware::counts_of(middleware::cache_store_counts).add(middleware::store_not_written);
}

void response_cache::parts::refresh(const std::string& key, next_handler rest, request& req) {
    auto made = std::make_unique<middleware::detached_request>(req, *this);
    auto& work = *made;
    if (const auto* client = req.find<client_info>()) work.in().set(*client);
    flights.begin(key);
    refreshing.push_back(std::move(made));
    if (second) return work.begin(lead_shared(*this, key, rest, work.in(), true));
    const std::uint64_t began = store->generation();
    work.begin(lead(*this, key, rest(work.in()), work.in(), began));
}

response_cache::response_cache() : response_cache(response_cache_options()) {}
response_cache::response_cache(const response_cache_options& how)
    : parts_(new parts(how, std::make_shared<middleware::response_store>(how.bytes),
                       how.store ? std::make_shared<middleware::second_level>(how) : nullptr)) {}
response_cache::response_cache(const response_cache& other)
    : parts_(new parts(other.parts_->how, other.parts_->store, other.parts_->second)) {}
response_cache::~response_cache() { delete parts_; }

void response_cache::drop(std::string_view host, std::string_view target) { parts_->forget(host, target); }

void response_cache::drop_tag(std::string_view tag) {
    if (parts_->second) parts_->second->drop_tag(tag);  // first, as in `parts::forget`
    drop_tag_in_memory(tag);
}
void response_cache::drop_all() {
    if (parts_->second) parts_->second->drop_all();
    drop_all_in_memory();
}
void response_cache::drop_tag_in_memory(std::string_view tag) { parts_->store->erase_tag(tag); }
void response_cache::drop_all_in_memory() { parts_->store->clear(); }

task<> response_cache::store_drops() const {
    if (parts_->second && !co_await parts_->second->finish_all_drops())
        co_await fail(503, "the store of the response cache is unavailable").header("Retry-After", "1");
}

pending_response response_cache::operator()(request& req, response& out, next_handler rest) const {
    parts& p = *parts_;
    const method verb = req.method();
    if (verb == method::options || verb == method::trace) return rest.run(req, out);
    if (!safe(verb)) {
        pending_response behind = rest.run(req, out);
        if (behind) return forget_later(p, std::move(behind), req);
        if (out.status() >= 400) return {};
        const std::uint64_t before = p.forget(http::requested_host(req), req.target());
        if (!p.second) return {};
        return send_after_drops(p, std::exchange(out, response()), before);
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
    if (shares && p.second) {
        p.flights.begin(key);
        return lead_shared(p, std::move(key), rest, req, false);
    }
    const std::uint64_t began = p.store->generation();
    pending_response behind = rest.run(req, out);
    if (!behind) return p.consider(key, req, out, began), pending_response();
    if (!shares) return consider_later(p, std::move(key), std::move(behind), req, began);
    p.flights.begin(key);
    return lead(p, std::move(key), std::move(behind), req, began);
}

}  // namespace apus
