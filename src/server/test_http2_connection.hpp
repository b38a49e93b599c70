// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/h2/session.hpp"
#include "outbound/h2/stream.hpp"
#include "outbound/received.hpp"
#include "server/test_connection.hpp"

#include <optional>
#include <string_view>

namespace apus::server {

/// A test's HTTP/2 connection, with one stream at a time.
/// Responses have the form of HTTP/1.1, with the status line "HTTP/2 200".
class test_http2_connection final : public test_connection {
public:
    /// Throws `std::runtime_error` if HTTP/2 is not linked to the program.
    explicit test_http2_connection(http::core& to);
    ~test_http2_connection() override;

    void send(std::string_view request) override;
    std::optional<test::response> next(bool to_head) override;
    bool advance(bool to_head) override;
    bool has_head() const noexcept override { return !now_.head.empty(); }
    test::response& now() noexcept override { return now_; }

private:
    struct exchange final : outbound::h2::stream {
        exchange() : stream(fields) { stream::trailers = &trailer_fields; }
        void on_event() noexcept override {}
        void on_room() noexcept override {}

        outbound::received fields{}, trailer_fields{};
    };

    void take(std::string_view bytes) override;
    void take_end() override;
    void take_response();
    void flush();

    outbound::h2::session session_;
    std::optional<exchange> exchange_;  // empty before the first request, and after each response
    test::response now_;
    bool complete_ = false;
    bool flushing_ = false;
};

}  // namespace apus::server
