// SPDX-License-Identifier: Apache-2.0
#include "middleware/shared_buckets.hpp"

#include "crypto/base64.hpp"
#include "crypto/hmac.hpp"

#include <algorithm>
#include <stdexcept>

namespace apus::middleware {

shared_buckets::shared_buckets(const rate_limit_options& of, token_rate rate)
    : store_(*of.store),
      name_(of.name),
      rate_(rate),
      on_failure_(of.on_store_failure),
      guard_(
          {.failed = "rate limit: the store failed", .works = "rate limit: the store works again", .label = "policy"},
          name_, of.store_timeout) {
    if (of.store_timeout < milliseconds(1))
        throw std::invalid_argument("rate_limit: `store_timeout` must be at least 1 ms");
    if (rate_.interval < 1'000)
        throw std::invalid_argument("rate_limit: the rate must be at most 1,000,000 requests per second with `store`");
}

std::string shared_buckets::key_of(std::string_view key) const {
    return crypto::base64url(crypto::hmac_sha256("apus rate limit " + name_, key));
}

task<std::optional<token_result>> shared_buckets::take(std::string_view key) {
    const auto burst = static_cast<std::uint64_t>(rate_.capacity / rate_.interval);
    const duration interval = duration::from_nanoseconds(rate_.interval);
    const auto got = co_await guard_.call<rate_limit_answer>([&] { return store_.take(key, interval, burst); });
    if (!got) co_return std::nullopt;
    const std::int64_t debt = std::clamp<std::int64_t>(got->until_full.nanoseconds(), 0, rate_.capacity);
    const std::int64_t left = (rate_.capacity - debt) / rate_.interval;
    if (got->allowed) co_return token_result{true, left, 0, debt};
    co_return token_result{false, left, std::max<std::int64_t>(debt + rate_.interval - rate_.capacity, 1), debt};
}

}  // namespace apus::middleware
