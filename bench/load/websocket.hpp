// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "answer_reader.hpp"

namespace load {

/// Returns a masked text frame of `bytes` letters.
std::string masked_text(std::size_t bytes);

/// Returns a masked pong frame with that payload.
std::string masked_pong(std::string_view payload);

/// Parses server frames of one WebSocket. The input may be split at any position.
class message_reader {
public:
    enum class found {
        more,
        message,
        ping,
        close,
        bad
    };

    /// Consumes frames from the front of `in`, up to the end of a message, a ping or a close.
    found read(std::string_view& in);

    std::uint64_t message_bytes() const { return size_; }
    std::string_view ping() const { return control_; }

private:
    bool begin_frame(char);
    found end_frame();

    std::string head_;  // header of an incomplete frame
    std::string control_;
    std::uint64_t left_ = 0, size_ = 0;
    bool in_payload_ = false, ended_ = true;  // `ended_`: no message is in progress
};

}  // namespace load
