// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "middleware/store_guard.hpp"
#include "middleware/token_buckets.hpp"

#include <apus/rate_limit.hpp>
#include <apus/task.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace apus::middleware {

/// Token buckets in a `rate_limit_store`. Thread-safe.
/// Each call of the store has a deadline. While the store fails, it is called only once per second.
class shared_buckets {
public:
    /// `of.store` must not be null. Throws `std::invalid_argument` for invalid options.
    shared_buckets(const rate_limit_options& of, token_rate);

    /// Returns the key in the store: a digest, so that the store contains no secrets of clients.
    std::string key_of(std::string_view key) const;
    /// Takes a token. Returns nullopt if the store fails.
    /// While the store fails, returns nullopt without calling the store, except once per second.
    task<std::optional<token_result>> take(std::string_view key);

    store_failure on_failure() const noexcept { return on_failure_; }

private:
    rate_limit_store& store_;
    const std::string name_;
    const token_rate rate_;
    const store_failure on_failure_;
    store_guard guard_;
};

}  // namespace apus::middleware
