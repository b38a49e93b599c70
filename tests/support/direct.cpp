// SPDX-License-Identifier: Apache-2.0
#include "support/direct.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace apus::support {

void direct::send(std::string_view head, std::string_view body) {
    x_.reset();
    answered_ = false;
    head_.clear();
    const std::size_t line = std::min(head.find('\n'), head.size());
    head_.append(head.substr(0, line)).append(" HTTP/1.1\r\nhost: localhost\r\n");
    for (std::size_t at = line; at < head.size();) {
        const std::size_t end = std::min(head.find('\n', at + 1), head.size());
        head_.append(head.substr(at + 1, end - at - 1)).append("\r\n");
        at = end;
    }
    head_ += "\r\n";

    const auto read =
        codec::http1::read_request_head(head_, {.request_line = 8192, .fields = 100, .field_bytes = 8192}, x_.head);
    REQUIRE_MESSAGE(read.state == codec::outcome::done, head_);
    x_.bytes = head_.data();
    x_.via = this;
    x_.body = body;
    x_.body_ended = true;
    service_.route(x_);
    answered_ = service_.run(x_);
}

void direct::finished(http::exchange& x) noexcept {
    x.settle();
    service_.add_error_body(x);
    answered_ = true;
}

std::string direct::ask(std::string_view head, std::string_view body) {
    send(head, body);
    if (!answered_) return "waits";
    std::string seen = std::to_string(status());
    if (!this->body().empty()) seen.append(" ").append(this->body());
    return seen;
}

std::string direct::problem(std::string_view head, std::string_view body) {
    constexpr std::string_view begin = "\"detail\":\"", end = "\"}\n";
    send(head, body);
    CHECK(x_.answer.media_type() == "application/problem+json");
    std::string seen = std::to_string(status());
    const std::string_view document = this->body();
    if (const auto at = document.find(begin); at != document.npos)
        seen.append(" ").append(document.substr(at + begin.size(), document.size() - at - begin.size() - end.size()));
    return seen;
}

void check_answers(direct& to, std::initializer_list<expectation> expected) {
    for (const auto& e : expected) {
        CAPTURE(e.request);
        CHECK(to.ask(e.request) == e.answer);
    }
}

void check_problems(direct& to, std::initializer_list<expectation> expected) {
    for (const auto& e : expected) {
        CAPTURE(e.request);
        CHECK(to.problem(e.request) == e.answer);
    }
}

}  // namespace apus::support
