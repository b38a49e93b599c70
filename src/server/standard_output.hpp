// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::server {

/// Prints a text to standard output, after the text that the program has printed to `stdout`.
/// Returns false if standard output cannot take the text at once, such as a full pipe or a terminal that was stopped by
/// Ctrl-S; the rest of the text is then not printed. Returns true after other errors.
bool print_without_waiting(std::string_view text) noexcept;

}  // namespace apus::server
