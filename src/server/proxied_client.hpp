// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/proxy/header.hpp"
#include "runtime/loop.hpp"
#include "runtime/protocols.hpp"
#include "http/connection.hpp"

#include <apus/duration.hpp>

#include <memory>
#include <string>

namespace apus::server {

/// Receives a connection's PROXY header, then starts the connection's protocol. Deletes itself.
class proxied_client final : runtime::receiver {
public:
    /// Options of the connection after its PROXY header.
    struct connection_options {
        bool secure;  ///< TLS.
        runtime::protocols spoken;
    };

    /// The acceptor of the connection. Outlives the `proxied_client`.
    class owner {
    public:
        /// Opens the connection, or returns false if there is no room; the connection is then closed.
        virtual bool open(http::connection&, connection_options, const codec::proxy::header&) = 0;
        /// Starts the protocol of the open connection, which belongs to the connection's core.
        virtual void start(http::connection&) = 0;

        /// Called when the connection is closed without having been opened.
        /// `why` is a message, or null if the peer has closed the connection or the loop ends.
        virtual void rejected(const char* why) noexcept = 0;

    protected:
        ~owner() = default;
    };

    proxied_client(owner&, runtime::loop&, int fd, connection_options, std::uint64_t due);
    void start();  ///< Starts receiving, which may destroy this object.

private:
    ~proxied_client();

    void received(runtime::received_bytes) override;
    void ended(int) override { reject(nullptr); }
    void stalled() override {}
    void drained() override {}
    void progressed(std::size_t) override {}
    void closed() noexcept override { delete this; }

    void reject(const char* why) noexcept;

    owner& owner_;
    runtime::loop& loop_;
    std::unique_ptr<http::connection> connection_;
    const connection_options then_;
    std::string held_;  // incomplete header
    struct : runtime::timer {
        proxied_client* of;
    } deadline_;
    struct : runtime::loop_end {
        proxied_client* of;
    } end_;
    bool over_ = false;
};

}  // namespace apus::server
