// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/record_layer.hpp"
#include "tls/openssl.hpp"
#include "tls/record_bio.hpp"

#include <apus/tls.hpp>

#include <atomic>
#include <cstdint>
#include <memory>

namespace apus::tls {

/// TLS on one connection.
class session final : public runtime::record_layer {
public:
    /// Handshakes that go on, of many sessions.
    using counter = std::atomic<std::uint32_t>;

    /// `of` is fresh and knows which side it is. `uses` lives until the handshake is over, at least.
    /// `greeting` has counted this one, or is null.
    session(ssl of, const BIO_METHOD&, std::shared_ptr<const void> uses, counter* greeting);
    ~session() override;

    std::size_t open(std::string_view& sealed, std::span<char> into, runtime::record_output& out) override;
    bool seal(std::string_view bytes, runtime::record_output& out) override;
    void end(runtime::record_output& out) override;
    int cut_off() const noexcept override;
    std::string_view failure() const noexcept override { return failure_; }

    std::string_view application() const noexcept override;
    std::string_view version() const noexcept override;
    std::string_view server_name() const noexcept override;
    bool resumed() const noexcept override;
    const peer_certificate* certificate() override;

private:
    bool greet();
    std::size_t read_into(std::span<char> into);
    void fail(runtime::record_output&);
    void greeted() noexcept;

    record_channel channel_;
    ssl ssl_;
    std::shared_ptr<const void> uses_;
    counter* greeting_;  // null once it is over
    std::unique_ptr<peer_certificate> peer_;
    bool looked_at_peer_ = false;
    bool ended_ = false;
    char first_byte_ = '\0';    // of all that came; handshakes do not begin with this one
    std::string_view failure_;  // static
};

}  // namespace apus::tls
