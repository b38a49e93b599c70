// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/exchange.hpp"
#include "runtime/loop.hpp"

#include <string>

namespace apus::middleware {

/// A copy of a request without its body and conditional fields (RFC 9110, 13.1).
/// Runs a handler on the copy, without a client, for at most 30 s. Values of `request::set` are not copied. Used by one
/// core only. The destructor cancels the handler's task.
class detached_request final : http::transport, runtime::deferred {
public:
    /// Called once when the task has ended. The listener may destroy this object.
    struct listener {
        virtual void ended(detached_request&) noexcept = 0;

    protected:
        ~listener() = default;
    };

    detached_request(request& of, listener& told);
    detached_request(const detached_request&) = delete;
    detached_request& operator=(const detached_request&) = delete;
    ~detached_request();

    request& in() noexcept { return x_.in; }
    void begin(task<response> work);  ///< The response is discarded, so the task itself must store its result.

private:
    void finished(http::exchange&) noexcept override;
    void request_more_body(http::exchange&) noexcept override {}
    void refuse_body(http::exchange&, const codec::refusal&) noexcept override {}
    void write(http::exchange&, std::string_view) override {}
    bool can_write(http::exchange&) noexcept override { return true; }
    void find_address(http::exchange&) override {}

    struct ending : runtime::timer {
        detached_request* of = nullptr;
    };

    listener& told_;
    ending deadline_;
    std::string head_;
    http::exchange x_;
};

}  // namespace apus::middleware
