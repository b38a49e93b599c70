// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/terminal/shell.hpp"

namespace apus::cli::dev {

/// Options of `apus dev`.
struct dev_options {
    std::string preset;
    std::optional<std::string> host{};    ///< Replaces `dev.host` of apus.toml.
    std::optional<std::uint16_t> port{};  ///< Replaces `dev.port`.
    bool debugger = false;                ///< Runs the program under gdb: builds once, and does not watch files.
};

/// Builds and serves the project, and does so again after every change, until Ctrl-C.
/// The running application continues to serve until the new one is ready. Compile errors are shown in the terminal and
/// over the open pages.
void develop(const dev_options& options, terminal::shell& shell);

/// Runs the matching tests, and runs them again after every change, until Ctrl-C.
void test_on_change(const std::string& preset, const std::string& filter, terminal::shell& shell);

}  // namespace apus::cli::dev
