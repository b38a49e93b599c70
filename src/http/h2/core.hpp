// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/core.hpp"
#include "http/free_exchanges.hpp"
#include "http/h2/exchange.hpp"
#include "http/h2/session_memory.hpp"
#include "http/successor.hpp"

#include <vector>

#include <nghttp2/nghttp2.h>

namespace apus::http::h2 {

/// What the HTTP/2 connections of one core share, beside what all of its connections do. Made when
/// the first of them begins, so a server without them pays nothing.
struct core final : successor {
    explicit core(http::core& of);
    core(const core&) = delete;
    core& operator=(const core&) = delete;
    ~core() override;

    void take_over(http::connection& before, std::string_view first) override;

    h2_exchange* take();
    void give(h2_exchange*) noexcept;

    http::core& shared;
    session_memory memory;  // outlives the sessions
    nghttp2_session_callbacks* callbacks = nullptr;
    nghttp2_option* options = nullptr;
    codec::http1::head_limits head_bounds;
    std::vector<nghttp2_nv> lines;  // of the head being written

private:
    free_exchanges<h2_exchange> free_;
};

}  // namespace apus::http::h2
