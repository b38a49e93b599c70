// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/postgres/message.hpp"
#include "postgres/closing.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <sys/types.h>

struct ssl_st;

namespace apus::postgres {

/// Receives the messages that a `stream` reads.
/// The functions may call `stream::close`, but must not destroy the stream.
class stream_reader {
public:
    /// Returns false to pause: later messages are kept for the next `stream::receive`.
    virtual bool on_message(const codec::postgres::message&) = 0;
    /// Called when the stream has ended, or the server has sent invalid bytes. Must close the stream.
    virtual void on_end(const codec::refusal*, std::string_view why) = 0;
    virtual std::size_t max_row() const noexcept = 0;  ///< Maximum size of the next row.

protected:
    ~stream_reader() = default;
};

/// The bytes of a connection that libpq has established, with or without TLS.
/// Only this object reads and writes the socket, from its construction on. libpq only closes the connection.
/// Unsolicited messages that libpq has received together with the end of the startup are lost.
class stream {
public:
    explicit stream(pgconn_ptr);

    /// Sends as many bytes of `out` as the socket accepts.
    /// Returns whether bytes are left. `receive` reports errors.
    bool send();
    /// Reads the available bytes, at most about 1 MB.
    void receive(stream_reader&);
    void close() noexcept { conn_.reset(); }

    int fd() const noexcept { return fd_; }
    const pgconn_ptr& connection() const noexcept { return conn_; }  ///< Null after `close`.

    std::string out;  ///< Messages to send.

private:
    enum class outcome {
        bytes,
        blocked,
        ended
    };
    struct received {
        outcome what;
        std::size_t size = 0;
        std::string why = {};
    };
    received read(char* to, std::size_t size);
    received read_record(char* to, std::size_t size);
    ssize_t write();
    bool pass(std::string_view bytes, stream_reader&);
    std::size_t pass_messages(std::string_view bytes, stream_reader&);

    pgconn_ptr conn_;
    int fd_;
    ssl_st* tls_;       // null without TLS; owned by `conn_`
    std::string rest_;  // received bytes that were not passed on: an incomplete message, or messages after a pause
    std::size_t sent_ = 0;
    bool paused_ = false;
    bool failed_ = false;  // sending has failed
};

}  // namespace apus::postgres
