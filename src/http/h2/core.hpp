// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/core.hpp"
#include "http/served_exchange.hpp"
#include "http/h2/exchange.hpp"
#include "http/h2/frame_buffer.hpp"
#include "http/protocol.hpp"

#include <cstddef>
#include <cstdint>

namespace apus::http::h2 {

/// State shared by the HTTP/2 connections of one core.
/// Created with the first HTTP/2 connection, so that a server without HTTP/2 uses no memory for it.
struct core final : protocol_upgrade {
    explicit core(http::core& of);
    core(const core&) = delete;
    core& operator=(const core&) = delete;

    void upgrade(connection&, std::string_view first) override;

    h2_exchange* take();
    void recycle(h2_exchange*) noexcept;

    /// Writes the field `date` and returns its end.
    /// `to` must have `date_room` bytes. The field is encoded once per second.
    char* write_date(char* to);
    static constexpr std::size_t date_room = 48;

    http::core& shared;
    codec::http1::head_limits head_bounds;
    frame_buffer spare;    // memory for the frames of the current connection
    frame_buffer scratch;  // for the strings of trailer fields while they are decoded

private:
    free_exchanges<h2_exchange> free_;
    std::int64_t date_of_ = -1;  // second for which `date_` is encoded
    std::size_t date_size_ = 0;
    char date_[date_room] = {};
};

}  // namespace apus::http::h2
