// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace apus::http::h2 {

/// Records how the latest streams ended (RFC 9113, 5.1).
/// A frame on a stream that the client has ended is an error. A frame on a stream that the server has reset may have
/// been in transit, and is ignored.
class stream_history {
public:
    void finished_by_client(std::uint32_t stream) noexcept { finished_[next_finished_++ % most] = stream; }
    void reset_by_server(std::uint32_t stream) noexcept { reset_[next_reset_++ % most] = stream; }

    bool was_finished(std::uint32_t stream) const noexcept {
        return std::ranges::find(finished_, stream) != finished_.end();
    }
    bool was_reset(std::uint32_t stream) const noexcept { return std::ranges::find(reset_, stream) != reset_.end(); }

private:
    static constexpr unsigned most = 32;

    std::array<std::uint32_t, most> finished_{}, reset_{};
    unsigned next_finished_ = 0, next_reset_ = 0;
};

}  // namespace apus::http::h2
