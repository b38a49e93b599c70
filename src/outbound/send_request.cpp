// SPDX-License-Identifier: Apache-2.0
#include "outbound/send_request.hpp"

#include "base/ascii.hpp"
#include "codec/fields/retry_after.hpp"
#include "outbound/dial.hpp"
#include "outbound/h1_exchange.hpp"
#include "outbound/h2/exchange.hpp"

#include <apus/sleep.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace apus::outbound {
namespace {

using exchange_ptr = std::unique_ptr<exchange>;

/// The result of one attempt: an exchange with a response, or an error.
struct attempt {
    exchange_ptr by;
    std::optional<error> wrong;
    bool connected = false;
};

task<attempt> send_once(pool& p, detail::asked& req, const url& to, bool fresh, std::uint64_t due) {
    attempt a;
    const bool careful = !is_idempotent(req.method) || req.uploads;
    auto lent = co_await acquire_connection(p, req, to, fresh, careful, due).outcome();
    if (!lent) {
        a.wrong = lent.error();
        co_return std::move(a);
    }
    a.connected = true;
    if (lent->shared()) a.by = std::make_unique<h2::exchange>(p, *std::move(lent));
    else a.by = std::make_unique<h1_exchange>(p, *std::move(lent));
    auto begun = co_await a.by->begin(req, to, due).outcome();
    if (!begun) a.wrong = begun.error();
    co_return std::move(a);
}

bool is_transient(int status) noexcept { return status == 429 || status == 502 || status == 503 || status == 504; }

/// Whether to send the request again: the failure may be temporary, and repeating is safe.
bool is_retryable(const attempt& a, std::string_view verb) noexcept {
    if (a.wrong && !a.connected) return a.wrong->status() == 502 || a.wrong->status() == 504;
    if (!is_idempotent(verb)) return false;
    return a.wrong ? a.wrong->status() == 502 || a.wrong->status() == 504 : is_transient(a.by->response->head.status);
}

/// Returns the delay before the next attempt, in milliseconds: from Retry-After (RFC 9110, 10.2.3),
/// otherwise by exponential backoff with a random reduction of up to a half.
std::uint64_t retry_delay(pool& p, const attempt& a, unsigned attempts) {
    constexpr std::uint64_t first = 50, most = 5'000;
    const std::string_view said = a.wrong ? std::string_view() : a.by->response->field("retry-after");
    if (const auto asked = codec::fields::read_retry_after(said, p.loop().io().clock().unix_seconds()))
        return static_cast<std::uint64_t>(*asked) * 1000;
    const std::uint64_t wait = std::min(first << std::min(attempts, 10U), most);
    return wait - p.random() % (wait / 2 + 1);
}

task<exchange_ptr> send_with_retries(pool& p, detail::asked& req, const url& to, std::uint64_t due) {
    const unsigned most = req.uploads ? 0 : req.retries >= 0 ? static_cast<unsigned>(req.retries) : p.options.retries;
    constexpr unsigned max_unprocessed = 3;  // limits repetitions if a server refuses every attempt
    const bool streamed = static_cast<bool>(req.uploads), repeatable = !streamed && is_idempotent(req.method);
    bool fresh = false, was_stale = false;
    unsigned unprocessed = 0;
    p.add_retry_credit();
    for (unsigned attempts = 0;;) {
        auto a = co_await send_once(p, req, to, fresh, due);
        if (a.wrong && a.by && a.by->is_unprocessed() && !streamed && unprocessed++ < max_unprocessed) continue;
        if (a.wrong && a.by && a.by->is_stale() && a.wrong->status() == 502 && repeatable && !was_stale) {
            was_stale = true;
            fresh = !a.by->is_multiplexed();
            continue;
        }
        std::uint64_t pause = 0;
        bool again = attempts < most && is_retryable(a, req.method);
        if (again) pause = retry_delay(p, a, attempts);
        again = again && p.loop().now() + pause < due && p.take_retry_credit();
        if (!again && a.wrong) co_await fail(a.wrong->status(), a.wrong->detail());
        if (!again) co_return std::move(a.by);
        ++attempts;
        p.counts().add(requests_repeated);
        a.by.reset();
        co_await sleep_for(milliseconds(static_cast<std::int64_t>(pause)));
    }
}

bool is_redirection(int status) noexcept {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

template <class Names>
bool is_among(std::string_view name, const Names& names) {
    return std::ranges::any_of(names, [&](std::string_view one) { return base::equal_ignoring_case(name, one); });
}

/// Removes lines with unwanted names from a sequence of "name: value\r\n".
template <class F>
void remove_fields(std::string& lines, F unwanted) {
    for (std::size_t at = 0; at < lines.size();) {
        const auto next = lines.find("\r\n", at) + 2;
        if (unwanted(std::string_view(lines).substr(at, lines.find(':', at) - at))) lines.erase(at, next - at);
        else at = next;
    }
}

// Request fields that describe the body. A redirect that removes the body removes them too.
constexpr std::string_view fields_of_body[] = {"content-type",     "content-encoding", "content-language",
                                               "content-location", "digest",           "last-modified"};
// Fields that a redirect to another origin keeps. Other fields may contain secrets for the first origin: they are kept
// only if the user lists them in `fields_to_other_origins`.
constexpr std::string_view cross_origin_fields[] = {
    "accept",           "accept-charset",   "accept-encoding", "accept-language", "cache-control",
    "content-encoding", "content-language", "content-type",    "range",           "user-agent"};

/// Whether a redirect changes the method to GET and drops the body (RFC 9110, 15.4).
bool rewrites_to_get(std::string_view verb, int status) noexcept {
    if (verb == "POST" && (status == 301 || status == 302)) return true;
    return status == 303 && verb != "HEAD" && verb != "GET";
}

/// Changes a request as a redirect requires (RFC 9110, 15.4).
void redirect(detail::asked& req, int status, bool other_origin, const std::vector<std::string>& kept) {
    if (rewrites_to_get(req.method, status)) {
        req.method = "GET";
        req.body.clear();
        req.media_type.clear();
        req.has_body = req.expects_continue = false;
        req.uploads = {};
        remove_fields(req.fields, [](std::string_view name) { return is_among(name, fields_of_body); });
    }
    if (!other_origin) return;
    req.via.clear();
    remove_fields(req.fields,
                  [&](std::string_view name) { return !is_among(name, cross_origin_fields) && !is_among(name, kept); });
}

/// Whether the client can send the request to the target of the redirect.
bool may_follow(const exchange& x, std::string_view verb, bool uploaded) noexcept {
    const int status = x.response->head.status;
    if (!is_redirection(status) || x.response->field("location").empty()) return false;
    return !uploaded || rewrites_to_get(verb, status);
}

}  // namespace

bool is_idempotent(std::string_view verb) noexcept {
    constexpr std::string_view all[] = {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"};
    return std::ranges::find(all, verb) != std::end(all);
}

task<std::unique_ptr<exchange>> send_request(pool& p, detail::asked& req, std::uint64_t due) {
    const unsigned most = req.redirects >= 0 ? static_cast<unsigned>(req.redirects) : p.options.redirects;
    auto to = co_await url::parse(req.url);
    for (unsigned followed = 0;; ++followed) {
        const bool uploads = static_cast<bool>(req.uploads);
        auto x = co_await send_with_retries(p, req, to, due);
        x->response->url = to.text();
        if (most == 0 || !may_follow(*x, req.method, uploads)) co_return std::move(x);
        if (followed == most) co_await fail(502, "too many redirects from the upstream");
        auto next = co_await to.resolve(x->response->field("location"));
        redirect(req, x->response->head.status, next.origin() != to.origin(), p.options.fields_to_other_origins);
        to = std::move(next);
        (void)co_await x->skip().outcome();  // errors of the unwanted response body are ignored
    }
}

}  // namespace apus::outbound
