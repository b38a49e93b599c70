// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/protocols.hpp"
#include "runtime/record_layer.hpp"
#include "tls/openssl.hpp"
#include "tls/record_bio.hpp"

#include <apus/tls.hpp>

#include <atomic>
#include <cstdint>
#include <memory>

namespace apus::tls {

/// TLS on one connection, as client or server.
class session final : public runtime::record_layer, private record_channel {
public:
    /// Number of handshakes in progress. Many sessions share one counter.
    using counter = std::atomic<std::uint32_t>;

    /// Client side. `of` is a new object. `uses` is kept alive at least until the handshake is
    /// complete.
    session(ssl of, const BIO_METHOD&, std::shared_ptr<const void> uses);
    /// Server side. Memory for TLS is allocated when the first bytes arrive, and the handshake is
    /// counted in `handshakes` from then on. If `handshakes` is then at its limit `most`, the session is `crowded`.
    session(SSL_CTX& by, const BIO_METHOD&, std::shared_ptr<const void> uses, counter& handshakes, std::uint32_t most,
            runtime::protocols);
    /// Returns the protocols that the client may negotiate; for OpenSSL's callbacks during a handshake.
    static runtime::protocols allowed_protocols(const SSL*) noexcept;
    ~session() override;

    admission begin() override;
    std::size_t open(std::string_view& sealed, std::span<char> into, runtime::record_output& out) override;
    bool seal(std::string_view bytes, runtime::record_output& out) override;
    void end(runtime::record_output& out) override;
    int truncation_error() const noexcept override;
    std::string_view failure() const noexcept override { return failure_; }

    std::string_view application() const noexcept override;
    std::string_view version() const noexcept override;
    std::string_view server_name() const noexcept override;
    bool resumed() const noexcept override;
    const peer_certificate* certificate() override;

private:
    // Needed only until the handshake has ended, so idle connections do without it.
    struct handshake_parts {
        std::shared_ptr<const void> uses;
        const BIO_METHOD& method;
        SSL_CTX* by = nullptr;          // server only, until `begin`
        counter* handshakes = nullptr;  // server only
        std::uint32_t most = 0;
        bool counted = false;
    };

    void use(ssl, const BIO_METHOD&);
    void use_channel(std::string_view* from, runtime::record_output* to) noexcept {
        in = from;
        record_channel::out = to;
    }
    bool handshake();
    std::size_t read_into(std::span<char> into);
    void fail(runtime::record_output&);
    void end_handshake() noexcept;

    ssl ssl_;
    std::unique_ptr<handshake_parts> parts_;  // null after the handshake
    std::unique_ptr<peer_certificate> peer_;
    const char* failure_ = "";  // static text
    const runtime::protocols spoken_ = runtime::protocols::every;
    const bool serves_ = false;
    bool peer_checked_ = false;
    bool ended_ = false;
    char first_byte_ = '\0';  // first received byte; 0 if none has arrived, since no handshake begins with 0
};

static_assert(sizeof(session) <= 120, "idle connections must take little memory");

}  // namespace apus::tls
