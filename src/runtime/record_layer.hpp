// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/outgoing.hpp"
#include "runtime/stream.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace apus {
struct peer_certificate;
}

namespace apus::runtime {

/// Where sealed bytes go: they are copied, and are never refused.
class record_output {
public:
    virtual void append(std::string_view sealed) = 0;

protected:
    ~record_output() = default;
};

/// A place in a list of handshakes in progress, in the order in which they began. Leaves it at its end.
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

/// What stands between a stream and its socket, and makes their bytes differ: TLS. It sees no
/// socket: it is given what has arrived, and says what is to be sent. Owned by its stream, and used
/// by the backend alone, on the stream's core. Whoever wants it done by the kernel one day gives the
/// backend another way to send, and needs to change nothing here.
class record_layer : handshake_link {
public:
    enum class state : std::uint8_t {
        greeting,  ///< The handshake goes on: nothing can be sealed yet.
        secure,
        failed,  ///< Nothing can be read or sealed any more. What `open` left in its output says why to the peer.
    };

    record_layer() = default;
    record_layer(const record_layer&) = delete;
    record_layer& operator=(const record_layer&) = delete;
    virtual ~record_layer() = default;

    enum class admission : std::uint8_t {
        uncounted,  ///< This side has asked for the connection.
        fits,
        crowded,  ///< More handshakes than allowed are in progress: an older one has to give way.
    };

    /// The peer's first bytes have come. Counts a handshake in progress, until it has ended.
    virtual admission begin() { return admission::uncounted; }

    /// Uses bytes that have arrived from the front of `sealed`, and puts what they say into `into`;
    /// gives its size. 0: all of `sealed` is used, the peer has ended, or the layer has failed.
    /// Answers of the handshake go to `out`.
    virtual std::size_t open(std::string_view& sealed, std::span<char> into, record_output& out) = 0;

    /// Seals bytes, while secure. False: the layer has failed.
    virtual bool seal(std::string_view bytes, record_output& out) = 0;

    /// Tells the peer, once, that no more comes. Nothing is sealed after it.
    virtual void end(record_output& out) = 0;

    state now() const noexcept { return state_; }
    bool begun() const noexcept { return begun_; }            ///< The peer's first bytes have come.
    bool greeted() const noexcept { return greeted_; }        ///< It is secure, or was.
    bool peer_ended() const noexcept { return peer_ended_; }  ///< It has said so, and not only the socket.

    /// What an end of the socket means that the peer has not announced: 0 if it is taken for an
    /// announced one, else an errno.
    virtual int cut_off() const noexcept { return 0; }

    /// Why it has failed, where the peer is to blame, for people; or empty.
    virtual std::string_view failure() const noexcept { return {}; }

    // Of the peer, once secure; views live as long as this object.
    /// The protocol agreed on (RFC 7301), or empty.
    virtual std::string_view application() const noexcept = 0;
    virtual std::string_view version() const noexcept = 0;  ///< Such as "TLSv1.3".
    /// What the client asked for by SNI (RFC 6066, 3), or empty.
    virtual std::string_view server_name() const noexcept = 0;
    virtual bool resumed() const noexcept = 0;          ///< Without a full handshake.
    virtual const peer_certificate* certificate() = 0;  ///< That was checked, or null.

protected:
    state state_ = state::greeting;
    bool peer_ended_ = false;

private:
    friend class backend;
    friend class stream;

    std::size_t unsealed() const noexcept { return waiting_ ? waiting_->size() : 0; }

    bool begun_ = false;
    bool greeted_ = false;
    stream* of_ = nullptr;               // whose it is now
    std::unique_ptr<outgoing> waiting_;  // to be sealed when it is sent
    after then_ = after::go_on;          // what follows when that is done
};

}  // namespace apus::runtime
