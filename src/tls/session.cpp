// SPDX-License-Identifier: Apache-2.0
#include "tls/session.hpp"

#include "tls/peer.hpp"

#include <cerrno>
#include <utility>

namespace apus::tls {

using runtime::record_layer;

namespace {

// The response to a plain HTTP request on an https port.
constexpr std::string_view not_tls =
    "HTTP/1.1 400 Bad Request\r\n"
    "Content-Type: application/problem+json\r\n"
    "Content-Length: 93\r\n"
    "Connection: close\r\n\r\n"
    R"({"type":"about:blank","title":"Bad Request","status":400,"detail":"this port requires https"})";
static_assert(not_tls.size() - not_tls.find('{') == 93);

}  // namespace

session::session(ssl of, const BIO_METHOD& method, std::shared_ptr<const void> uses)
    : parts_(std::make_unique<handshake_parts>(std::move(uses), method)) {
    use(std::move(of), method);
}

session::session(SSL_CTX& by, const BIO_METHOD& method, std::shared_ptr<const void> uses, counter& handshakes,
                 std::uint32_t most, runtime::protocols spoken)
    : parts_(std::make_unique<handshake_parts>(std::move(uses), method, &by, &handshakes, most)),
      spoken_(spoken),
      serves_(true) {}

session::~session() { end_handshake(); }

void session::use(ssl of, const BIO_METHOD& method) {
    BIO* bio = new_record_bio(method, *this);
    SSL_set_bio(of.get(), bio, bio);
    ssl_ = std::move(of);
}

record_layer::admission session::begin() {
    if (!serves_) return admission::uncounted;
    if (SSL_CTX* by = parts_ ? std::exchange(parts_->by, nullptr) : nullptr) {
        ssl made(SSL_new(by));
        if (!made) {  // no memory
            ERR_clear_error();
            state_ = state::failed;
            return admission::uncounted;
        }
        SSL_set_accept_state(made.get());
        use(std::move(made), parts_->method);
        parts_->counted = true;
        if (parts_->handshakes->fetch_add(1, std::memory_order_relaxed) >= parts_->most) return admission::crowded;
    }
    return admission::fits;
}

// Found through the BIO, since application data of an SSL object would take memory of each connection.
runtime::protocols session::allowed_protocols(const SSL* of) noexcept {
    const auto* const channel = static_cast<const record_channel*>(BIO_get_data(SSL_get_rbio(of)));
    return static_cast<const session*>(channel)->spoken_;
}

void session::end_handshake() noexcept {
    if (parts_ && parts_->counted) parts_->handshakes->fetch_sub(1, std::memory_order_relaxed);
    parts_.reset();
}

// First clears OpenSSL's error queue: it is per thread, and may contain errors of other connections.
bool session::handshake() {
    ERR_clear_error();
    if (SSL_do_handshake(ssl_.get()) == 1) {
        state_ = state::secure;
        end_handshake();
        return true;
    }
    return false;
}

std::size_t session::open(std::string_view& sealed, std::span<char> into, runtime::record_output& out) {
    if (parts_ && parts_->by && !sealed.empty()) begin();
    if (state_ == state::failed || peer_ended_ || !ssl_) return 0;
    use_channel(&sealed, &out);
    if (first_byte_ == '\0' && !sealed.empty()) first_byte_ = sealed.front();
    const bool secure = state_ == state::secure || handshake();
    const std::size_t size = secure ? read_into(into) : 0;
    if (!secure && SSL_get_error(ssl_.get(), -1) != SSL_ERROR_WANT_READ) fail(out);
    use_channel(nullptr, nullptr);
    return size;
}

std::size_t session::read_into(std::span<char> into) {
    std::size_t got = 0;
    while (got < into.size()) {
        std::size_t n = 0;
        ERR_clear_error();
        if (!SSL_read_ex(ssl_.get(), into.data() + got, into.size() - got, &n)) {
            const int why = SSL_get_error(ssl_.get(), 0);
            if (why == SSL_ERROR_ZERO_RETURN) peer_ended_ = true;
            else if (why != SSL_ERROR_WANT_READ) fail(*record_channel::out);
            break;
        }
        got += n;
        // without input there is nothing to do, and the call would cost as much as a small record
        if (record_channel::in->empty() && SSL_pending(ssl_.get()) == 0) break;
    }
    return got;
}

void session::fail(runtime::record_output& out) {
    // HTTP methods begin with a letter, TLS records do not.
    if (state_ == state::handshaking && serves_ && first_byte_ >= 'A' && first_byte_ <= 'Z') out.append(not_tls);
    const long wrong = SSL_get_verify_result(ssl_.get());
    if (wrong != X509_V_OK) failure_ = X509_verify_cert_error_string(wrong);
    state_ = state::failed;
    end_handshake();
    ERR_clear_error();
}

bool session::seal(std::string_view bytes, runtime::record_output& out) {
    std::size_t n = 0;
    use_channel(nullptr, &out);
    ERR_clear_error();
    const bool sealed = SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &n) == 1;
    if (!sealed) fail(out);
    use_channel(nullptr, nullptr);
    return sealed;
}

void session::end(runtime::record_output& out) {
    if (std::exchange(ended_, true) || state_ != state::secure) return;
    use_channel(nullptr, &out);
    SSL_shutdown(ssl_.get());
    ERR_clear_error();
    use_channel(nullptr, nullptr);
}

// A request has a known length, so a server always detects truncation. A response may extend to the end of the
// connection, so for a client, an end without close_notify is an error.
int session::truncation_error() const noexcept { return serves_ ? 0 : ECONNRESET; }

std::string_view session::application() const noexcept {
    const unsigned char* name = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(ssl_.get(), &name, &size);
    return {reinterpret_cast<const char*>(name), size};
}

std::string_view session::version() const noexcept { return SSL_get_version(ssl_.get()); }

std::string_view session::server_name() const noexcept {
    const char* name = SSL_get_servername(ssl_.get(), TLSEXT_NAMETYPE_host_name);
    return name ? name : "";
}

bool session::resumed() const noexcept { return SSL_session_reused(ssl_.get()) == 1; }

const peer_certificate* session::certificate() {
    if (!std::exchange(peer_checked_, true)) {
        X509* shown = SSL_get0_peer_certificate(ssl_.get());
        if (shown && SSL_get_verify_result(ssl_.get()) == X509_V_OK)
            peer_ = std::make_unique<peer_certificate>(peer_of(*shown));
    }
    return peer_.get();
}

}  // namespace apus::tls
