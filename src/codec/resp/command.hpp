// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

// Appends commands for a Redis server (arrays of bulk strings) to a buffer of the caller. Arguments may contain any
// bytes.

namespace apus::codec::resp {

/// Appends the head of a command.
/// The caller then appends `arguments` arguments; the first one is the command's name.
void append_head(std::string& to, std::size_t arguments);
void append_argument(std::string& to, std::string_view argument);
void append_command(std::string& to, std::initializer_list<std::string_view> arguments);

}  // namespace apus::codec::resp
