// SPDX-License-Identifier: Apache-2.0
#include <apus/redis.hpp>

#include "base/hex.hpp"
#include "redis/redis_counts.hpp"
#include "redis/session.hpp"
#include "runtime/loop.hpp"

#include <apus/log.hpp>
#include <apus/tls.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <openssl/sha.h>

namespace apus::redis {
namespace detail {

struct subscription_parts {
    shared_session in;
    std::string name;
    bool is_pattern;
    std::unique_ptr<sql::listener> from = nullptr;  // null before the first `next`, and after an error
};

namespace {

client_tls make_tls(const std::string& authorities, const std::string& certificate, const std::string& key) {
    return client_tls(
        client_tls_options{.authorities = authorities, .certificate = {.certificate = certificate, .key = key}});
}

// Refuses options that would be ignored: the connection could be less secure than intended.
void check_sentinel_options(const address& to, const sentinel_options& o) {
    const bool has_files = !o.tls_authorities.empty() || !o.tls_certificate.empty() || !o.tls_key.empty();
    if (to.kind != topology::sentinel) {
        if (o.tls || has_files || !o.user.empty() || !o.password.empty())
            throw std::invalid_argument("redis::client_options::sentinel needs a URL redis+sentinel://");
        return;
    }
    if (has_files && !o.tls) throw std::invalid_argument("the TLS files of redis::sentinel_options need `tls`");
    if (to.secure && !o.tls)
        log::warn("redis: the connections to the sentinels are not encrypted: set redis::sentinel_options::tls");
}

shared_session make_session(std::string_view url, const client_options& o) {
    auto to = read_url(url);
    check_sentinel_options(to, o.sentinel);
    client_tls tls, sentinel_tls;
    if (to.secure) tls = make_tls(o.tls_authorities, o.tls_certificate, o.tls_key);
    if (to.kind == topology::sentinel && o.sentinel.tls)
        sentinel_tls = make_tls(o.sentinel.tls_authorities, o.sentinel.tls_certificate, o.sentinel.tls_key);
    auto state = std::make_shared<shared_state>(shared_state{
        .to = std::move(to), .options = o, .tls = std::move(tls), .sentinel_tls = std::move(sentinel_tls)});
    if (state->to.kind == topology::cluster) state->options.cache.bytes = 0;
    const address& at = state->to;
    state->name = at.host.empty() ? at.path : net::to_text({at.host, at.port});
    if (!at.service.empty()) state->name = at.service;
    state->options.messages = std::max<std::size_t>(o.messages, 1);
    if (runtime::loop::exists()) {  // so that `/metrics` has the series before the first command
        auto& all = runtime::loop::current().instruments();
        all.of(command_counts, {state->name});
        if (state->options.cache.bytes != 0) all.of(cache_counts, {state->name});
    }
    return shared_session(new session_parts{.state = std::move(state)});
}

// Returns milliseconds, rounded up: PEXPIRE with 0 removes the key, and SET with PX 0 is an error.
long long lifetime_of(duration d) {
    if (d <= duration()) throw std::invalid_argument("the lifetime of a Redis key must be positive");
    return (d.nanoseconds() + 999'999) / 1'000'000;
}

}  // namespace

command_text set_command(std::string_view key, const command_text& value, const set_options& how) {
    command_text made("SET");
    made.add(key);
    made.add_others(value);
    if (how.expires != duration()) made.add("PX"), made.add_integer(lifetime_of(how.expires));
    else if (how.keep_expiry) made.add("KEEPTTL");
    if (how.when == set_when::absent) made.add("NX");
    else if (how.when == set_when::present) made.add("XX");
    return made;
}

command_text expire_command(std::string_view key, duration lifetime) {
    return make_command("PEXPIRE", key, lifetime_of(lifetime));
}

std::string script_digest(std::string_view code) {
    unsigned char digest[SHA_DIGEST_LENGTH];
    SHA1(reinterpret_cast<const unsigned char*>(code.data()), code.size(), digest);
    return base::hex({reinterpret_cast<const char*>(digest), sizeof digest});
}

}  // namespace detail

client::client(std::string_view url, const client_options& o) : executor(detail::make_session(url, o)) {}

task<reserved_connection> client::reserve() const {
    return [](detail::shared_session in) -> task<reserved_connection> {
        co_return reserved_connection(co_await detail::reserve(std::move(in)));
    }(in_);
}

void reserved_connection::set_timeout(duration d) { in_->timeout = d; }

subscription client::subscribe(std::string_view channel) const {
    return subscription(apus::detail::own_parts(
        new detail::subscription_parts{.in = in_, .name = std::string(channel), .is_pattern = false}));
}

subscription client::psubscribe(std::string_view pattern) const {
    return subscription(apus::detail::own_parts(
        new detail::subscription_parts{.in = in_, .name = std::string(pattern), .is_pattern = true}));
}

subscription::subscription(apus::detail::owned_parts<detail::subscription_parts> p) : parts_(std::move(p)) {}

task<std::optional<message>> subscription::next() {
    auto& parts = *parts_;
    if (!parts.from) parts.from = parts.in->here().subscriptions().listen(parts.name, parts.is_pattern);
    auto got = co_await parts.from->next().outcome();
    if (!got) {
        parts.from.reset();  // the next call subscribes again
        co_await failure(std::move(got.error()));
    }
    if (!*got) co_return std::nullopt;
    sql::notification& n = **got;
    if (n.gap) co_return message{.channel = {}, .payload = {}, .gap = true};
    if (!parts.is_pattern) co_return message{.channel = parts.name, .payload = std::move(n.payload)};
    const auto [channel, payload] = subscriber::channel_and_payload(n.payload);
    co_return message{.channel = std::string(channel), .payload = std::string(payload)};
}

}  // namespace apus::redis
