// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/outage.hpp"
#include "middleware/token_buckets.hpp"

#include <apus/rate_limit.hpp>
#include <apus/task.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace apus::middleware {

/// Token buckets of a `rate_limit_store`. Any thread.
/// Each call has a deadline, and there are few calls while the store fails.
class shared_buckets {
public:
    /// `of.store` is not null. Throws `std::invalid_argument` for invalid options.
    shared_buckets(const rate_limit_options& of, token_rate);

    /// Returns the key in the store: the same length for each key, and no secret of clients.
    std::string key_of(std::string_view key) const;
    /// Returns nullopt at once while the store fails, except for one call per second.
    task<std::optional<token_result>> take(std::string_view key);

    store_failure on_failure() const noexcept { return on_failure_; }

private:
    void failed(std::string_view why) noexcept;
    void worked() noexcept;

    rate_limit_store& store_;
    const std::string name_;
    const token_rate rate_;
    const duration timeout_;
    const store_failure on_failure_;
    base::outage outage_;
};

}  // namespace apus::middleware
