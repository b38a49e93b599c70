// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rooms: a message to a room is sent to all its WebSockets, on all cores.

#include <apus/websocket.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace apus {

namespace ws {
class hub_parts;
struct member;
}  // namespace ws

/// Policy for a member that reads more slowly than its room sends.
enum class slow_member : std::uint8_t {
    close,        ///< Closes the member with 1013, so that the client can reconnect.
    drop_oldest,  ///< Drops the oldest queued message. Use this if only the latest value matters.
    drop_newest,  ///< Drops new messages while the queue is full.
};

/// Options of a hub.
struct hub_options {
    slow_member slow = slow_member::close;
    /// Maximum bytes queued for one member, in addition to 64 KiB of unsent output.
    /// Over it: see `slow`.
    std::size_t member_bytes = 1024 * 1024;
    std::size_t compress_from = 256;  ///< Messages with fewer bytes are not compressed. See `hub`.
};

/// Forwards messages between the hubs of several processes, for example through a broker.
class hub_relay {
public:
    virtual ~hub_relay();

    /// Sends a message to the other processes, which pass the message to `hub::deliver`.
    /// Called by `hub::send` on the sender's thread, possibly on several threads concurrently. Must not block.
    /// Arguments are valid during the call.
    virtual void relay(std::string_view room, const websocket_message&) = 0;
};

/// Named rooms that span the cores of a process.
/// Create the hub outside `make_app`. It must outlive the server. Any thread may send.
///
/// A message is encoded once. Each core sends the same bytes to its members at the end of an event loop iteration, or
/// in several iterations if there are many members. Messages of one sender reach a member in order. No locks are used.
///
/// Up to 16 MiB of messages wait for a core that is blocked, or `member_bytes` if that is greater. Further messages do
/// not reach the members on this core: these are closed with 1013, or miss the messages, depending on `slow`.
///
/// For members with compression (`websocket_options::compress`), the sending thread also compresses a message, once for
/// all cores: without context takeover, with the window size that most members have. Members with a smaller window or
/// without compression get the uncompressed message.
class hub {
public:
    /// Membership of a WebSocket in a room: the destructor leaves the room.
    /// Belongs to the core that created it. May outlive its WebSocket.
    class seat {
    public:
        seat() noexcept = default;  ///< Not a member of any room.
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
    hub(const hub_options&, hub_relay&);  ///< The relay must outlive the hub.
    hub(const hub&) = delete;
    hub& operator=(const hub&) = delete;
    ~hub();

    /// Adds a WebSocket of this core to a room. Rooms exist while they have members.
    /// Throws `std::invalid_argument` for a WebSocket opened by `connect_websocket`.
    [[nodiscard]] seat join(std::string_view room, websocket& member);

    /// Sends UTF-8 text to all members of a room, including the sender. The text is copied.
    void send(std::string_view room, std::string_view text) { send(room, websocket_message{text, false}); }
    /// Sends binary data to all members of a room, including the sender. The data is copied.
    void send_binary(std::string_view room, std::string_view bytes) { send(room, websocket_message{bytes, true}); }
    /// Sends a text or binary message, such as a received message. The message is copied.
    void send(std::string_view room, const websocket_message&);

    /// Sends a message only to the members in this process. For messages that a relay has received.
    void deliver(std::string_view room, const websocket_message&);

private:
    ws::hub_parts* parts_;
};

}  // namespace apus
