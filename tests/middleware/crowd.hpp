// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/h1/protocol.hpp"
#include "runtime/loop.hpp"
#include "server/response_reader.hpp"
#include "web/application.hpp"

#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/socket.h>
#include <unistd.h>

namespace apus::support {

/// Several clients of one app on one core, each with its own connection and one request.
class crowd {
public:
    explicit crowd(app a) : loop_(backend()), service_(std::move(a)), core_(loop_, service_, bounds_) {}
    crowd(const crowd&) = delete;
    crowd& operator=(const crowd&) = delete;
    ~crowd() {
        for (std::size_t i = 0; i < members_.size(); ++i) leave(i);
        for (auto* c = core_.first; c;) std::exchange(c, c->next())->abandon();
        while (core_.connections.inside() > 0) loop_.turn(1);
    }

    /// Sends a request for "/path" as a new client, and returns the client's number.
    /// Each line in `fields` ends in CRLF.
    std::size_t ask(std::string_view path, std::string_view fields = {}, std::string_view verb = "GET") {
        int ends[2];
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
        core_.open(ends[1], runtime::protocols::every).start();
        const std::string text =
            std::string(verb).append(" ").append(path).append(" HTTP/1.1\r\nhost: localhost\r\n").append(fields) +
            "\r\n";
        REQUIRE(::send(ends[0], text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size()));
        members_.push_back({ends[0], {}, {}});
        turn();
        return members_.size() - 1;
    }

    /// Closes the client's connection.
    void leave(std::size_t who) {
        if (members_[who].fd >= 0) ::close(std::exchange(members_[who].fd, -1));
    }

    /// Lets the core handle pending events.
    void turn(int times = 5) {
        while (times-- > 0) loop_.turn(1);
    }

    /// Whether the client has received its response.
    bool answered(std::size_t who) {
        auto& m = members_[who];
        char bytes[16 * 1024];
        for (ssize_t n; m.fd >= 0 && (n = ::recv(m.fd, bytes, sizeof bytes, 0)) > 0;)
            m.reader.append({bytes, static_cast<std::size_t>(n)});
        if (!m.found) m.found = m.reader.next(false);
        return m.found.has_value();
    }

    /// Waits for the client's response. Returns status 0 after three seconds without a response.
    test::response answer_of(std::size_t who) {
        for (int i = 0; i < 3000 && !answered(who); ++i) loop_.turn(1);
        return members_[who].found.value_or(test::response());
    }

private:
    struct member {
        int fd;
        server::response_reader reader;
        std::optional<test::response> found;
    };
    static std::unique_ptr<runtime::backend> backend() {
        std::string why;
        return runtime::make_backend("", why);
    }

    limits bounds_;
    runtime::loop loop_;
    web::application service_;
    http::h1::core core_;
    std::vector<member> members_;
};

}  // namespace apus::support
