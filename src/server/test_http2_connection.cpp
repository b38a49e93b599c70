// SPDX-License-Identifier: Apache-2.0
#include "server/test_http2_connection.hpp"

#include "base/ascii.hpp"
#include "http/connection.hpp"
#include "http/protocol.hpp"
#include "runtime/loop.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace apus::server {
namespace {

constexpr codec::http1::head_limits head_limits{1024, 1000, 60 * 1024};  // tests see every response that Apus can send
constexpr std::size_t data_room = 64 * 1024;

/// Removes a line and its CRLF from `text`.
std::string_view take_line(std::string_view& text) noexcept {
    const std::string_view line = text.substr(0, text.find("\r\n"));
    text.remove_prefix(std::min(text.size(), line.size() + 2));
    return line;
}

std::string_view host_in(std::string_view lines) noexcept {
    while (!lines.empty()) {
        const std::string_view line = take_line(lines);
        if (base::equal_ignoring_case(line.substr(0, line.find(':')), "host")) {
            const std::string_view value = line.substr(line.find(':') + 1);
            return value.substr(std::min(value.find_first_not_of(' '), value.size()));
        }
    }
    return {};
}

std::string lines_of(const outbound::received& from) {
    std::string lines;
    for (unsigned i = 0; i < from.head.field_count; ++i) {
        const auto& field = from.head.fields[i];
        lines.append(from.text(field.name)).append(": ").append(from.text(field.value)).append("\r\n");
    }
    return lines;
}

}  // namespace

test_http2_connection::test_http2_connection(http::core& to) : test_connection(to), session_(head_limits) {
    if (!http::http2_enabled()) throw std::runtime_error("the test program is linked without HTTP/2");
}

test_http2_connection::~test_http2_connection() {
    if (exchange_) session_.leave(*exchange_);
}

void test_http2_connection::send(std::string_view request) {
    const std::size_t head_size = request.find("\r\n\r\n") + 2;
    const std::string_view body = request.substr(head_size + 2);
    std::string_view lines = request.substr(0, head_size);
    const std::string_view first = take_line(lines);
    const std::size_t space = first.find(' '), last_space = first.rfind(' ');
    const std::string_view target = first.substr(space + 1, last_space - space - 1);
    now_ = {};
    complete_ = false;
    if (exchange_) session_.leave(*exchange_);
    exchange_.emplace();
    session_.open(*exchange_, {first.substr(0, space), "http", host_in(lines), target, lines}, body.empty());
    if (!body.empty()) {
        session_.send(*exchange_, body);
        session_.send_end(*exchange_);
    }
    flush();
}

bool test_http2_connection::advance(bool) { return complete_; }

std::optional<test::response> test_http2_connection::next(bool) {
    if (!complete_) return {};
    complete_ = false;
    // As in HTTP/1.1, a response that the app has aborted has the status 0.
    const bool aborted = exchange_->failure.has_value();
    session_.leave(*exchange_);
    exchange_.reset();
    test::response whole = std::exchange(now_, {});
    return aborted ? test::response() : std::move(whole);
}

void test_http2_connection::take(std::string_view bytes) {
    session_.receive(bytes, loop().now());
    if (session_.failure()) throw std::runtime_error("invalid HTTP/2 response: " + session_.failure()->detail());
    take_response();
    flush();
}

void test_http2_connection::take_end() {
    session_.end(error(502, "the app closed the connection"));
    take_response();
}

void test_http2_connection::take_response() {
    while (session_.deliver()) {}
    if (session_.leaving() && (!exchange_ || exchange_->ended || exchange_->failure)) end();
    if (!exchange_ || complete_) return;
    exchange& x = *exchange_;
    if (x.has_head && now_.head.empty()) {
        now_.status = x.fields.head.status;
        now_.head = "HTTP/2 " + std::to_string(now_.status) + "\r\n" + lines_of(x.fields) + "\r\n";
    }
    if (x.has_unread()) {
        std::string piece;
        session_.take(x, piece);
        session_.return_window(x, piece.size());
        now_.body += piece;
    }
    complete_ = x.ended || x.failure;
    if (x.ended) now_.trailer = lines_of(x.trailer_fields);
}

// Sends the output of the session. Received bytes may add output while this function waits for the app to read.
void test_http2_connection::flush() {
    if (std::exchange(flushing_, true)) return;
    while (!ended()) {
        session_.write_data(data_room);
        auto& out = session_.output();
        if (out.empty()) break;
        const std::string bytes(out.bytes());
        out.consume(out.size());
        send_bytes(bytes);
    }
    flushing_ = false;
}

}  // namespace apus::server
