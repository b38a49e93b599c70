// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rooms: what is sent to one goes to all WebSockets in it, on whatever core they are.

#include <apus/websocket.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace apus {

namespace ws {
class hub_parts;
struct member;
}  // namespace ws

/// What becomes of a member that reads more slowly than its room is sent to.
enum class slow_member : std::uint8_t {
    close,        ///< It is closed with 1013, so that it can come back and begin anew.
    drop_oldest,  ///< What has waited longest is not sent to it: for what only counts when it is new.
    drop_newest,  ///< What comes while there is no room is not.
};

/// How a hub treats its members.
struct hub_options {
    slow_member slow = slow_member::close;
    /// That wait for one member, beside the 64 KiB on their way. Over it: see `slow`.
    std::size_t member_bytes = 1024 * 1024;
    std::size_t compress_from = 256;  ///< Bytes of a message; smaller ones are sent as they are. See `hub`.
};

/// Brings what is sent on one machine to the hubs of others: by a broker, say.
class hub_relay {
public:
    virtual ~hub_relay();

    /// Called for each `hub::send`, on the thread that sends, and so on several at once. Must not wait. The others
    /// hand it on by `hub::deliver`. What it is given is valid during the call.
    virtual void relay(std::string_view room, const websocket_message&) = 0;
};

/// Named rooms that span the cores of a process. Made outside of make_app, and outlives the server. Any
/// thread may send.
///
/// A message is put into its frame once, and each core sends the same bytes to all of its members, at the end
/// of a turn of its loop, or in parts over several turns where they are many. Messages of one sender reach a
/// member in order. No lock is on their way.
///
/// Where members have agreed on compression (`websocket_options::compress`), a message is also compressed, once for
/// all cores, on the
/// thread that sends it, without reference to messages before: by the window that most of them have. Those with a
/// smaller
/// one, and those without compression, get it as it is.
class hub {
public:
    /// Membership of a room, for as long as it lives. Belongs to the core that it was made on; it may
    /// outlive its WebSocket.
    class seat {
    public:
        seat() noexcept = default;  ///< Of no room.
        seat(seat&& other) noexcept : member_(std::exchange(other.member_, nullptr)) {}
        seat& operator=(seat&& other) noexcept {
            std::swap(member_, other.member_);
            return *this;
        }
        ~seat();

    private:
        friend class hub;
        explicit seat(ws::member* m) noexcept : member_(m) {}
        ws::member* member_ = nullptr;
    };

    explicit hub(const hub_options& = {});
    hub(const hub_options&, hub_relay&);  ///< The relay outlives the hub.
    hub(const hub&) = delete;
    hub& operator=(const hub&) = delete;
    ~hub();

    /// Makes a WebSocket of this core a member of a room, which is made by its first member and ends with its last.
    /// Throws `std::invalid_argument` for one that `connect_websocket` has opened.
    [[nodiscard]] seat join(std::string_view room, websocket& member);

    /// Sends a text, which is UTF-8, to all members of a room, also to one who sends. It is copied.
    void send(std::string_view room, std::string_view text) { send(room, websocket_message{text, false}); }
    /// The same for any bytes.
    void send_binary(std::string_view room, std::string_view bytes) { send(room, websocket_message{bytes, true}); }
    /// The same for a message as it is, as one that was received.
    void send(std::string_view room, const websocket_message&);

    /// Sends to the members in this process only: what a relay has brought.
    void deliver(std::string_view room, const websocket_message&);

private:
    ws::hub_parts* parts_;
};

}  // namespace apus
