// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace apus::http::h2 {

/// How the latest streams ended: a frame that comes for one of them after its client had finished it
/// is an error, and one on a stream that the server reset was on its way (RFC 9113, 5.1).
class stream_history {
public:
    void finished_by_client(std::int32_t stream) noexcept { finished_[next_finished_++ % most] = stream; }
    void reset_by_server(std::int32_t stream) noexcept { reset_[next_reset_++ % most] = stream; }

    bool was_finished(std::int32_t stream) const noexcept {
        return std::ranges::find(finished_, stream) != finished_.end();
    }
    bool was_reset(std::int32_t stream) const noexcept { return std::ranges::find(reset_, stream) != reset_.end(); }

private:
    static constexpr unsigned most = 32;

    std::array<std::int32_t, most> finished_{}, reset_{};
    unsigned next_finished_ = 0, next_reset_ = 0;
};

}  // namespace apus::http::h2
