// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/proxy/header.hpp"
#include "runtime/loop.hpp"
#include "runtime/protocols.hpp"
#include "runtime/stream.hpp"

#include <apus/duration.hpp>

#include <string>

namespace apus::server {

/// A connection from a proxy, until its PROXY header is there; then another object takes the stream
/// over. What comes behind the header is passed on, so nothing above knows of it. Deletes itself.
class proxied_client final : public runtime::stream {
public:
    /// Who has accepted it, and lives longer.
    class owner {
    public:
        /// Gives what is to take the stream over, not yet started, or null to have it closed.
        virtual runtime::stream* take_over(proxied_client&, const codec::proxy::header&) = 0;
        virtual void begin(runtime::stream&) = 0;  ///< It has taken over.

        /// Nobody takes it over. `why` is a sentence, or null if the peer has left.
        virtual void given_up(proxied_client&, const char* why) noexcept = 0;

    protected:
        ~owner() = default;
    };

    /// What follows the header.
    struct sequel {
        bool secure;  ///< TLS.
        runtime::protocols spoken;
    };

    proxied_client(owner&, runtime::loop&, int fd, sequel, std::uint64_t due);

    const sequel then;

private:
    ~proxied_client();

    void received(runtime::received_bytes) override;
    void ended(int) override { give_up(nullptr); }
    void stalled() override {}
    void drained() override {}
    void progressed(std::size_t) override {}
    void closed() noexcept override { delete this; }

    void give_up(const char* why) noexcept;

    owner& owner_;
    runtime::loop& loop_;
    std::string held_;  // of a header that comes in pieces
    struct : runtime::timer {
        proxied_client* of;
    } deadline_;
    struct : runtime::loop_end {
        proxied_client* of;
    } end_;
    bool over_ = false;
};

}  // namespace apus::server
