// SPDX-License-Identifier: Apache-2.0
#include "middleware/shared_buckets.hpp"

#include "base/reason.hpp"
#include "crypto/base64.hpp"
#include "crypto/hmac.hpp"
#include "runtime/loop.hpp"

#include <apus/log.hpp>
#include <apus/sleep.hpp>
#include <apus/when_any.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace apus::middleware {
namespace {

task<> sleep(duration time) { co_await sleep_for(time); }

}  // namespace

shared_buckets::shared_buckets(const rate_limit_options& of, token_rate rate)
    : store_(*of.store), name_(of.name), rate_(rate), timeout_(of.store_timeout), on_failure_(of.on_store_failure) {
    if (timeout_ < milliseconds(1)) throw std::invalid_argument("rate_limit: `store_timeout` must be at least 1 ms");
    if (rate_.interval < 1'000)
        throw std::invalid_argument("rate_limit: the rate must be at most 1,000,000 requests per second with `store`");
}

std::string shared_buckets::key_of(std::string_view key) const {
    return crypto::base64url(crypto::hmac_sha256("apus rate limit " + name_, key));
}

void shared_buckets::failed(std::string_view why) noexcept {
    if (outage_.begin(runtime::loop::current().now()))
        log::warn("rate limit: the store failed", {"policy", name_}, {"reason", why});
}

void shared_buckets::worked() noexcept {
    if (outage_.end()) log::info("rate limit: the store works again", {"policy", name_});
}

// Does not wait for a failing store, since this would delay every request.
task<std::optional<token_result>> shared_buckets::take(std::string_view key) {
    if (!outage_.may_try(runtime::loop::current().now())) co_return std::nullopt;
    const auto burst = static_cast<std::uint64_t>(rate_.capacity / rate_.interval);
    const duration interval = duration::from_nanoseconds(rate_.interval);
    const auto first = co_await when_any(store_.take(key, interval, burst), sleep(timeout_)).outcome();
    if (!first || first->index() == 1) {
        failed(first ? "timeout" : base::reason_of(first.error()));
        co_return std::nullopt;
    }
    worked();
    const rate_limit_answer& got = std::get<0>(*first);
    const std::int64_t debt = std::clamp<std::int64_t>(got.until_full.nanoseconds(), 0, rate_.capacity);
    const std::int64_t left = (rate_.capacity - debt) / rate_.interval;
    if (got.allowed) co_return token_result{true, left, 0, debt};
    co_return token_result{false, left, std::max<std::int64_t>(debt + rate_.interval - rate_.capacity, 1), debt};
}

}  // namespace apus::middleware
