// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/error.hpp>
#include <apus/uploaded_file.hpp>

#include <cstdint>
#include <string>
#include <string_view>

// Blocking disk calls; call them only on threads of `apus::blocking`. Errors are sent to clients and contain no paths:
// 507 if the disk is full, otherwise 500.

namespace apus::forms {

/// Opens an unnamed file in a folder, readable and writable by this process only.
result<int> open_temporary(const std::string& folder);

result<void> write_all(int fd, std::string_view bytes, std::uint64_t at);

/// Reads at most `most` bytes; fewer at the end of the file.
result<std::string> read_some(int fd, std::uint64_t from, std::size_t most);

/// Links an open unnamed file at `path`. Returns false if `path` is in another file system.
result<bool> link_open(int fd, const std::string& path, existing_file then);

/// Creates a file at `path` with the content of descriptor `from`.
/// If `from` is negative, the content is `bytes`.
result<void> save_copy(std::string_view bytes, int from, const std::string& path, existing_file then);

/// Gives a file from `open_temporary` the mode that the process's umask allows.
void show_to_others(int fd) noexcept;

}  // namespace apus::forms
