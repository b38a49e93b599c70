// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/exchange.hpp"
#include "web/application.hpp"

#include <initializer_list>
#include <string>
#include <string_view>

namespace apus::support {

/// Sends requests to an app without a connection. Calls the service as a protocol does, and reuses
/// the exchange.
class direct : http::transport {
public:
    explicit direct(app a) : service_(std::move(a)) {}

    /// Sends a request: "GET /a" and fields, each on its own line, and a body.
    void send(std::string_view head, std::string_view body = {});

    bool answered() const noexcept { return answered_; }
    int status() const noexcept { return x_.answer.status(); }
    std::string_view body() const noexcept { return x_.answer.body(); }
    std::string_view header(std::string_view name) const noexcept { return x_.answer.header(name); }
    http::exchange& exchange() noexcept { return x_; }

    /// Returns "200 text" for the response to a request, or "waits".
    std::string ask(std::string_view head, std::string_view body = {});

    /// Returns "404" or "404 detail" for a response that is a problem document.
    std::string problem(std::string_view head, std::string_view body = {});

private:
    void finished(http::exchange&) noexcept override;
    void request_more_body(http::exchange&) noexcept override {}
    void refuse_body(http::exchange&, const codec::refusal&) noexcept override {}
    void write(http::exchange&, std::string_view) override {}
    bool can_write(http::exchange&) noexcept override { return true; }
    void find_address(http::exchange& x) override { x.address = "test"; }

    web::application service_;
    http::exchange x_;
    std::string head_;
    bool answered_ = false;
};

/// A request, and the expected result of `direct::ask` or `direct::problem`.
struct expectation {
    std::string request;
    std::string answer;
};

/// Checks all of `expected`, and names each request with another response.
void check_answers(direct& to, std::initializer_list<expectation> expected);
void check_problems(direct& to, std::initializer_list<expectation> expected);

}  // namespace apus::support
