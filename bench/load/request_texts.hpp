// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options.hpp"

namespace load {

/// What is sent at once: one request or message, or as many as are pipelined.
struct batch {
    std::string text;
    std::vector<std::size_t> starts;  ///< Of each request in `text`.
    bool bodiless = false;            ///< HEAD: no answer has a body.
    statuses wanted;
    std::optional<std::uint64_t> answer_bytes;

    unsigned count() const { return unsigned(starts.size()); }
};

/// The batches that connections rotate through.
std::vector<batch> batches(const options&);

/// The handshake of a WebSocket.
batch handshake(const options&);

}  // namespace load
