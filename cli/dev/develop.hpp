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
    bool debugger = false;                ///< Whether to build once and run the program under gdb.
};

/// Builds and runs the project, and repeats both after every change, until Ctrl-C.
/// The running application continues to serve until the new one is ready. Shows compile errors in the terminal and over
/// the open pages.
void develop(const dev_options& options, terminal::shell& shell);

/// Runs the matching tests, and runs them again after every change, until Ctrl-C.
void test_on_change(const std::string& preset, const std::string& filter, terminal::shell& shell);

}  // namespace apus::cli::dev
