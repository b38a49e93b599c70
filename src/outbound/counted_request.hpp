// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/pool.hpp"

#include <cstdint>

namespace apus::outbound {

/// Counts a request of the HTTP client, from the constructor to `end`.
/// If `end` was not called, the destructor counts the request as cancelled.
class counted_request {
public:
    explicit counted_request(pool&);
    counted_request(const counted_request&) = delete;
    counted_request& operator=(const counted_request&) = delete;
    ~counted_request() { count(requests_cancelled); }

    void end(int status) noexcept;        ///< For a request that has a response.
    void end(const error& why) noexcept;  ///< For a request that failed without a response.

private:
    void count(unsigned cell) noexcept;

    runtime::instrument_group* to_;  // null if the request has ended
    std::uint64_t begun_;            // in nanoseconds
};

}  // namespace apus::outbound
