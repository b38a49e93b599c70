// SPDX-License-Identifier: Apache-2.0
#include <apus/outbox/webhook.hpp>

#include "base/ascii.hpp"
#include "base/percent.hpp"
#include "codec/fields/retry_after.hpp"
#include "crypto/base64.hpp"
#include "crypto/hmac.hpp"
#include "runtime/loop.hpp"

#include <apus/sleep.hpp>
#include <apus/when_any.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace apus {
namespace {

// Reads the rest of a short body, so that the connection can be used again.
task<std::string> read_rest(client_stream& of) {
    constexpr std::size_t most = 16 * 1024;
    std::string text;
    while (text.size() < most) {
        const auto piece = co_await of.read();
        if (piece.empty()) break;
        text.append(piece.substr(0, most));
    }
    co_return std::move(text);
}

task<> wait_for_body() { co_await sleep_for(seconds(1)); }

// Returns the beginning of a body; empty for a body that is cut or slow, since the status alone decides.
task<std::string> body_of(client_stream& of) {
    auto first = co_await when_any(read_rest(of), wait_for_body()).outcome();
    if (!first || first->index() != 0) co_return std::string();
    co_return std::get<0>(*std::move(first));
}

std::string excerpt(std::string_view body) {
    constexpr std::size_t most = 200;
    std::string text(body.substr(0, most));
    std::ranges::replace_if(text, [](char c) { return c < ' ' || c > '~'; }, ' ');
    return text.empty() ? text : ": " + text;
}

// Fields of each request, and fields of the client.
constexpr std::string_view own_fields[] = {"Idempotency-Key",   "Event-Type",        "Event-Key",    "webhook-id",
                                           "webhook-timestamp", "webhook-signature", "Content-Type", "Content-Length"};

// Returns the key for HMAC. The form `whsec_` with base64 is that of Standard Webhooks.
std::string key_of(std::string secret) {
    constexpr std::string_view prefix = "whsec_";
    constexpr std::size_t shortest = 24;  // bytes, as Standard Webhooks requires
    if (secret.starts_with(prefix)) {
        auto key = crypto::decode_base64(std::string_view(secret).substr(prefix.size()));
        if (!key) throw std::invalid_argument("webhook: after `whsec_`, `signing_secret` must be base64");
        secret = *std::move(key);
    }
    if (secret.size() < shortest)
        throw std::invalid_argument("webhook: the key of `signing_secret` must have at least 24 bytes");
    return secret;
}

}  // namespace

webhook::webhook(webhook_options how, client http) : how_(std::move(how)), http_(std::move(http)) {
    if (!how_.signing_secret.empty()) how_.signing_secret = key_of(std::move(how_.signing_secret));
    client_request checked("POST", how_.url);
    for (const auto& [name, value] : how_.headers) {
        const auto same = [&](std::string_view own) { return base::equal_ignoring_case(own, name); };
        if (std::ranges::any_of(own_fields, same))
            throw std::invalid_argument("webhook: the webhook sets the field `" + name + "` itself");
        checked.header(name, value);
    }
}

client_request webhook::request_for(const outbox_event& e) const {
    client_request made("POST", how_.url);
    made.header("Idempotency-Key", "\"" + e.id + "\"").header("Event-Type", e.type);
    if (!e.key.empty()) {
        std::string key;
        base::append_percent_encoded(key, e.key, [](char c) { return c > ' ' && c <= '~' && c != '%'; });
        made.header("Event-Key", key);
    }
    if (!how_.signing_secret.empty()) {
        const std::string time = std::to_string(runtime::unix_seconds());
        const std::string mac = crypto::hmac_sha256(how_.signing_secret, e.id + "." + time + "." + e.body);
        made.header("webhook-id", e.id).header("webhook-timestamp", time);
        made.header("webhook-signature", "v1," + crypto::base64(mac));
    }
    for (const auto& [name, value] : how_.headers) made.header(name, value);
    made.body(e.body, "application/json").redirects(0).retries(0);
    return made;
}

task<> webhook::operator()(const outbox_event& e, jobs::context& c) const {
    auto answer = co_await http_.open(request_for(e));
    const int status = answer.status();
    const std::string body = co_await body_of(answer);
    if (status >= 200 && status < 300) co_return;
    const std::string why = "the receiver responded with " + std::to_string(status) + excerpt(body);
    if (status == 410) co_await c.discard(why);
    const std::int64_t now = runtime::unix_seconds();
    const auto wait = codec::fields::read_retry_after(answer.header("retry-after"), now);
    co_await c.retry_after(seconds(wait.value_or(0)), why);
}

}  // namespace apus
