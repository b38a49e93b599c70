// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/error.hpp>
#include <apus/uploaded_file.hpp>

#include <cstdint>
#include <string>
#include <string_view>

// Calls that wait for the disk: for threads of `apus::blocking` only. Errors are for clients, and say
// nothing of paths: 507 where there is no room, and else 500.

namespace apus::forms {

/// A file without a name in a folder, readable and writable by this process only.
result<int> open_temporary(const std::string& folder);

result<void> write_all(int fd, std::string_view bytes, std::uint64_t at);

/// At most so many bytes; fewer at the end of the file.
result<std::string> read_some(int fd, std::uint64_t from, std::size_t most);

/// Gives an open file without a name the name `path`. False: it lies in another file system.
result<bool> link_open(int fd, const std::string& path, existing_file then);

/// Makes a file at `path` that holds `bytes`, or, if `from` is no negative number, what is in that file.
result<void> save_copy(std::string_view bytes, int from, const std::string& path, existing_file then);

/// Lets others read what `open_temporary` has made, as the process's umask allows.
void show_to_others(int fd) noexcept;

}  // namespace apus::forms
