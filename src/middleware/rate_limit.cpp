// SPDX-License-Identifier: Apache-2.0
#include <apus/rate_limit.hpp>

#include <apus/client_info.hpp>

#include "base/keyed_hash.hpp"
#include "crypto/random.hpp"
#include "middleware/middleware_counts.hpp"
#include "middleware/shared_buckets.hpp"
#include "middleware/token_buckets.hpp"
#include "runtime/loop.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <optional>
#include <stdexcept>

#include <arpa/inet.h>

namespace apus {

struct rate_limit::parts {
    parts(const rate_limit_options& how, detail::key_function find_key);
    ~parts() { key.destroy(key.self); }

    detail::key_function key;
    middleware::token_buckets buckets;
    std::optional<middleware::shared_buckets> shared;
    base::hash_secret secret;
    std::string policy;
    std::string name;   // name as a quoted string, for header fields
    std::string label;  // name in metrics
    bool fields;
    std::atomic<std::uint32_t> owners{1};
};

namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t longest = 366 * 24 * 3600 * second;

std::int64_t seconds_of(std::int64_t nanoseconds) noexcept { return (nanoseconds + second - 1) / second; }

middleware::token_rate rate_of(const rate_limit_options& how) {
    const std::int64_t period = how.period.nanoseconds();
    if (how.requests < 1) throw std::invalid_argument("rate_limit: `requests` must be at least 1");
    if (period < 1'000'000 || period > longest)
        throw std::invalid_argument("rate_limit: `period` must be from 1 ms to 366 days");
    const std::int64_t interval = period / how.requests > 0 ? period / how.requests : 1;
    const std::int64_t burst = how.burst ? how.burst : how.requests;
    if (burst > longest / interval)
        throw std::invalid_argument("rate_limit: a bucket of `burst` would take more than a year to fill");
    return {interval, interval * burst};
}

// Returns `name` as a String of structured fields (RFC 9651, 3.3.3).
std::string quoted(std::string_view name) {
    std::string text = "\"";
    for (const char c : name) {
        if (c < ' ' || c > '~')
            throw std::invalid_argument("rate_limit: `name` contains a byte that is not printable ASCII");
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text += '"';
}

base::hash_secret new_secret() {
    std::array<unsigned char, sizeof(base::hash_secret)> bytes;
    crypto::fill_random(bytes);
    return std::bit_cast<base::hash_secret>(bytes);
}

void tell(response& out, std::string_view name, std::string_view policy, const middleware::token_result& now) {
    std::string value;
    value.reserve(name.size() + 48);
    value.append(name).append(";r=").append(std::to_string(now.left));
    value.append(";t=").append(std::to_string(seconds_of(now.until_full)));
    out.header("RateLimit-Policy", policy).header("RateLimit", value);
}

task<response> tell_later(pending_response behind, std::string_view name, std::string_view policy,
                          middleware::token_result now) {
    response res = co_await std::move(behind);
    tell(res, name, policy, now);
    co_return res;
}

}  // namespace

rate_limit::parts::parts(const rate_limit_options& how, detail::key_function find_key)
    : key(find_key),
      buckets(how.keys, rate_of(how)),
      secret(new_secret()),
      name(quoted(how.name)),
      label(how.name),
      fields(how.fields) {
    if (how.store) shared.emplace(how, rate_of(how));
    policy = name + ";q=" + std::to_string(how.requests) + ";w=" + std::to_string(seconds_of(how.period.nanoseconds()));
}

void detail::key_sink::take(std::string_view key) {
    if (text_) *text_ = key;
    hash_ = base::keyed_hash(key, *static_cast<const base::hash_secret*>(of_));
    counted_ = true;
}

std::string client_network(std::string_view address) {
    char text[INET6_ADDRSTRLEN] = {};
    in6_addr v6;
    if (address.size() >= sizeof text || !address.contains(':')) return std::string(address);
    address.copy(text, address.size());
    if (inet_pton(AF_INET6, text, &v6) != 1) return std::string(address);
    if (IN6_IS_ADDR_V4MAPPED(&v6)) {
        inet_ntop(AF_INET, v6.s6_addr + 12, text, sizeof text);
        return text;
    }
    for (int i = 8; i < 16; ++i) v6.s6_addr[i] = 0;
    inet_ntop(AF_INET6, &v6, text, sizeof text);
    return std::string(text) + "/64";
}

rate_limit::rate_limit(const rate_limit_options& how)
    : rate_limit(how, [](request& req) {
          const auto* known = req.find<client_info>();
          return client_network(known ? std::string_view(known->address) : req.remote_address());
      }) {}

rate_limit::rate_limit(const rate_limit_options& how, detail::key_function key) {
    try {
        parts_ = new parts(how, key);
    } catch (...) {
        key.destroy(key.self);
        throw;
    }
}

rate_limit::rate_limit(const rate_limit& other) noexcept : parts_(other.parts_) {
    parts_->owners.fetch_add(1, std::memory_order_relaxed);
}

rate_limit::~rate_limit() {
    if (parts_ && parts_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete parts_;
}

namespace {

std::int64_t now_in_nanoseconds() noexcept {
    return static_cast<std::int64_t>(runtime::loop::current().now()) * 1'000'000;
}

// Sets `out` to the response to a request over the limit, without `RateLimit` fields.
void refuse_for(const middleware::token_result& verdict, std::string_view label, response& out) {
    runtime::loop::current().instruments().of(middleware::rate_limit_counts, {label}).add(0);
    const std::string wait = std::to_string(seconds_of(verdict.until_next));
    detail::refuse(error(429, "too many requests: try again in " + wait + " s"), out);
    out.header("Retry-After", wait);
}

// `Parts` is rate_limit::parts, which is private.
template <class Parts>
task<response> decide_together(Parts& p, std::string key, std::uint64_t hash, next_handler rest, request& req) {
    auto verdict = co_await p.shared->take(key);
    if (!verdict && p.shared->on_failure() == store_failure::refuse)
        co_await fail(503, "the rate limit is unavailable").header("Retry-After", "1");
    if (!verdict && p.shared->on_failure() == store_failure::count_locally)
        verdict = p.buckets.take(hash, now_in_nanoseconds());
    response res;
    if (verdict && !verdict->allowed) refuse_for(*verdict, p.label, res);
    else res = co_await rest(req);
    if (verdict && p.fields) tell(res, p.name, p.policy, *verdict);
    co_return res;
}

}  // namespace

pending_response rate_limit::operator()(request& req, response& out, next_handler rest) const {
    parts& p = *parts_;
    std::string text;
    detail::key_sink key(&p.secret, p.shared ? &text : nullptr);
    p.key.find(p.key.self, req, key);
    if (!key.counted()) return rest.run(req, out);
    if (p.shared) return decide_together(p, p.shared->key_of(text), key.hash(), rest, req);

    const auto verdict = p.buckets.take(key.hash(), now_in_nanoseconds());
    if (!verdict.allowed) {
        refuse_for(verdict, p.label, out);
    } else {
        pending_response behind = rest.run(req, out);
        if (behind && p.fields) return tell_later(std::move(behind), p.name, p.policy, verdict);
        if (behind) return behind;
    }
    if (p.fields) tell(out, p.name, p.policy, verdict);
    return {};
}

}  // namespace apus
