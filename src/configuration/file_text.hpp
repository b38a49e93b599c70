// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>

namespace apus::configuration {

constexpr std::size_t max_file_size = 1 << 20;    ///< Bytes of a configuration file.
constexpr std::size_t max_secret_size = 1 << 16;  ///< Bytes of a file with a secret.

/// Reads a regular file of at most `limit` bytes; returns nullopt if the file does not exist.
/// The error is a sentence that begins with the path. Does not block on FIFOs and devices: they are errors.
std::expected<std::optional<std::string>, std::string> read_file(const std::string& path, std::size_t limit);

/// Reads a secret: the content of a file, which must exist, without a newline at its end.
std::expected<std::string, std::string> read_secret_file(const std::string& path);

}  // namespace apus::configuration
