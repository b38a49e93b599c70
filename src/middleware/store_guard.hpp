// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/outage.hpp"
#include "base/reason.hpp"
#include "runtime/loop.hpp"

#include <apus/duration.hpp>
#include <apus/log.hpp>
#include <apus/sleep.hpp>
#include <apus/when_any.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace apus::middleware {

/// Calls a store that may fail, such as one on Redis. Thread-safe.
/// Each call has a deadline. While the store fails, it is called only once per second, since waiting for it would delay
/// every request. A warning is logged when it begins to fail, and an info record when it works again.
class store_guard {
public:
    struct words {
        std::string_view failed, works;  ///< Messages of the log, in static storage.
        const char* label;               ///< Name of a field of both messages.
    };
    /// `value`: of the field `words::label`.
    store_guard(words how, std::string value, duration timeout)
        : how_(how), value_(std::move(value)), timeout_(timeout) {}

    /// Returns the result of `start()`, a `task<T>`; nullopt if the store fails or is not called.
    template <class T, class F>
    task<std::optional<T>> call(F start) {
        if (!outage_.may_try(runtime::loop::current().now())) co_return std::nullopt;
        co_return co_await call_always<T>(std::move(start));
    }
    /// Like `call`, but calls the store also while it fails.
    template <class T, class F>
    task<std::optional<T>> call_always(F start) {
        auto first = co_await when_any(start(), pause(timeout_)).outcome();
        if (!first || first->index() == 1) {
            failed(first ? "timeout" : base::reason_of(first.error()));
            co_return std::nullopt;
        }
        worked();
        co_return std::get<0>(*std::move(first));
    }

private:
    static task<> pause(duration time) { co_await sleep_for(time); }

    void failed(std::string_view why) noexcept {
        if (outage_.begin(runtime::loop::current().now()))
            log::warn(how_.failed, {how_.label, value_}, {"reason", why});
    }
    void worked() noexcept {
        if (outage_.end()) log::info(how_.works, {how_.label, value_});
    }

    const words how_;
    const std::string value_;
    const duration timeout_;
    base::outage outage_;
};

}  // namespace apus::middleware
