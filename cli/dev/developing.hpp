// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/terminal/shell.hpp"

namespace apus::cli::dev {

/// How to develop.
struct dev_options {
    std::string preset;
    std::optional<std::string> host{};    ///< In place of `dev.host` of apus.toml.
    std::optional<std::uint16_t> port{};  ///< In place of `dev.port`.
    bool debugger = false;                ///< Under gdb: built once, and neither watched nor replaced.
};

/// Builds and serves the project, and does so again after each change of a file, until Ctrl-C: the application
/// that serves goes on until the next one is ready. What does not compile is shown in the terminal and over
/// the pages.
void develop(const dev_options& options, terminal::shell& shell);

/// Runs the tests whose name matches, and again after each change, until Ctrl-C.
void test_again_and_again(const std::string& preset, const std::string& filter, terminal::shell& shell);

}  // namespace apus::cli::dev
