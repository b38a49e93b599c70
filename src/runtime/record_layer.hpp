// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/outgoing.hpp"
#include "runtime/socket.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace apus {
struct peer_certificate;
}

namespace apus::runtime {

/// Destination of encrypted bytes. `append` copies all bytes.
class record_output {
public:
    virtual void append(std::string_view sealed) = 0;

protected:
    ~record_output() = default;
};

/// Link in a list of handshakes, oldest first. Unlinks itself when destroyed.
struct handshake_link {
    handshake_link *next = this, *before = this;

    handshake_link() = default;
    handshake_link(const handshake_link&) = delete;
    handshake_link& operator=(const handshake_link&) = delete;
    ~handshake_link() { unlink(); }

    void append_to(handshake_link& list) noexcept {
        next = &list;
        before = list.before;
        before->next = list.before = this;
    }
    void unlink() noexcept {
        next->before = before;
        before->next = next;
        next = before = this;
    }
};

/// Encrypts and decrypts the bytes between a receiver and the kernel (TLS).
/// Makes no system calls: the backend passes received bytes, and sends the output. The socket owns its record layer;
/// only the backend uses it, on the socket's core. Kernel TLS could be added to the backend without a change of this
/// class.
class record_layer : handshake_link {
public:
    enum class state : std::uint8_t {
        handshaking,  ///< The handshake is in progress: `seal` is not possible yet.
        secure,
        failed,  ///< Input and output are impossible. The output of `open` has an alert for the peer.
    };

    record_layer() = default;
    record_layer(const record_layer&) = delete;
    record_layer& operator=(const record_layer&) = delete;
    virtual ~record_layer() = default;

    enum class admission : std::uint8_t {
        uncounted,  ///< client side
        fits,
        crowded,  ///< Too many handshakes are in progress: the caller must end the oldest handshake.
    };

    /// Called when the peer's first bytes arrive.
    /// From then on, the handshake counts as in progress until it ends.
    virtual admission begin() { return admission::uncounted; }

    /// Decrypts received bytes from the front of `sealed` into `into`.
    /// Returns the number of decrypted bytes. 0: all of `sealed` is consumed, the peer has sent close_notify, or the
    /// layer has failed. Appends handshake messages to `out`.
    virtual std::size_t open(std::string_view& sealed, std::span<char> into, record_output& out) = 0;

    /// Encrypts bytes. The state must be `secure`. Returns false if the layer has failed.
    virtual bool seal(std::string_view bytes, record_output& out) = 0;

    /// Appends a close_notify alert, once. Do not call `seal` afterwards.
    virtual void end(record_output& out) = 0;

    state now() const noexcept { return state_; }
    bool begun() const noexcept { return begun_; }                    ///< The peer's first bytes have arrived.
    bool handshake_done() const noexcept { return handshake_done_; }  ///< The handshake has completed.
    bool peer_ended() const noexcept { return peer_ended_; }          ///< The peer has sent close_notify.

    /// Returns the error if the input ends without close_notify: 0 if this is acceptable, otherwise an
    /// errno.
    virtual int truncation_error() const noexcept { return 0; }

    /// Returns the reason of a failure that the peer has caused, as text; otherwise empty.
    virtual std::string_view failure() const noexcept { return {}; }

    // Properties of a secure connection. Views are valid as long as this object.
    /// Protocol negotiated by ALPN (RFC 7301), or empty.
    virtual std::string_view application() const noexcept = 0;
    virtual std::string_view version() const noexcept = 0;  ///< Such as "TLSv1.3".
    /// Host name in the client's SNI (RFC 6066, 3); empty if the client sent none.
    virtual std::string_view server_name() const noexcept = 0;
    virtual bool resumed() const noexcept = 0;          ///< Whether a session was resumed.
    virtual const peer_certificate* certificate() = 0;  ///< The peer's verified certificate, or null.

protected:
    state state_ = state::handshaking;
    bool peer_ended_ = false;

private:
    friend class backend;
    friend class socket;

    std::size_t unsealed() const noexcept { return waiting_ ? waiting_->size() : 0; }
    std::size_t memory() const noexcept {
        return (unopened_ ? unopened_->capacity() : 0) + (waiting_ ? waiting_->memory() : 0);
    }

    bool begun_ = false;
    bool handshake_done_ = false;
    after then_ = after::keep_open;  // action after `waiting_` is sent
    socket* of_ = nullptr;
    // Bytes of the socket, for `backend::decide_traffic`: the protocol is known long before they overflow.
    std::uint32_t received_ = 0, sent_ = 0;
    std::unique_ptr<std::string> unopened_;  // input of a postponed handshake; null: none
    std::unique_ptr<outgoing> waiting_;      // output to be encrypted when it is sent
};

}  // namespace apus::runtime
