// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cli/watching/server_state.hpp"

namespace apus::cli::watching {

enum class route_order {
    rate,
    requests,
    errors,
    latency
};

enum class request_list {
    in_flight,
    slowest,
    failed,
    rejected
};

/// Selection of the contents of the screen; keys change it.
struct view {
    route_order order = route_order::rate;
    request_list list = request_list::slowest;

    /// Changes the view by a key. Returns false if the key has no meaning.
    bool press(char key) noexcept;
};

struct screen_size {
    std::size_t columns = 80;
    std::size_t rows = 24;  ///< 0: unlimited.
};

/// Draws the state of a server as lines of at most `columns` characters, at most `rows` lines.
/// `before` is an earlier state of the same server, from which rates are computed; null: no rates. `trouble` replaces
/// the line of keys. Texts of the server cannot control the terminal: only printable ASCII is shown. With `colored`,
/// the text contains ANSI escape sequences for colors.
std::string draw(const server_state& now, const server_state* before, const view&, screen_size, bool colored,
                 std::string_view trouble = {});

}  // namespace apus::cli::watching
