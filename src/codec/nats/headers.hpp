// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

// Header blocks of NATS messages: "NATS/1.0", then a line per header, and an empty line. Publishers write them, and
// servers pass them on unchecked.

namespace apus::codec::nats {

/// A header. Views refer to the block.
struct header_line {
    std::string_view name, value;
};

/// Reads a header block of a received message.
/// Skips malformed lines: since another client has written them, they are not a reason to close the connection.
class header_reader {
public:
    explicit header_reader(std::string_view block) noexcept;

    /// Status of a message from the server, such as 503 if there are no responders; 0: none.
    int status() const noexcept { return status_; }
    std::string_view description() const noexcept { return description_; }  ///< Text after the status.
    /// Reads the next header. Returns false at the end.
    bool next(header_line& to) noexcept;

private:
    std::string_view take_line() noexcept;

    std::string_view left_, description_;
    int status_ = 0;
};

/// Returns whether a header can be sent.
/// A name is a token of HTTP (RFC 9110, 5.6.2). A value has no control characters except tabs, and does not begin or
/// end with a space or tab.
bool is_header(std::string_view name, std::string_view value) noexcept;

/// Appends a header to a block, which may be empty. Call `end_headers` after the last one.
void append_header(std::string& block, std::string_view name, std::string_view value);
void end_headers(std::string& block);

}  // namespace apus::codec::nats
