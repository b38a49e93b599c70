// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace apus::sandbox {

/// Rights on a file, or on everything below a folder.
enum class rights : std::uint8_t {
    read,       ///< Read files and list folders.
    write,      ///< As `read`; also write, create, rename and remove files and folders.
    execute,    ///< As `read`; also execute programs.
    temporary,  ///< Create, read, write and remove files, but not list folders.
    remove,     ///< Read and remove files.
    replace     ///< As `remove`; also rename files within their folder.
};

/// A Landlock ruleset (Linux 5.13): the only paths and TCP ports that restricted threads may use.
/// Descriptors that are already open are not affected.
class landlock {
public:
    /// Returns the version of Landlock in this kernel; 0 without Landlock.
    static int version() noexcept;

    /// Creates an empty ruleset for a kernel with this version of Landlock, which must be at least 1.
    /// Versions below 4 do not restrict ports, and versions below 3 do not restrict the truncation of files.
    explicit landlock(int version);
    landlock(const landlock&) = delete;
    landlock& operator=(const landlock&) = delete;
    ~landlock();

    /// Adds a rule for a path. Returns a message that contains the path on failure.
    /// Symbolic links are followed: the rule applies to the current target.
    std::expected<void, std::string> allow(const std::string& path, rights);
    /// Like `allow`, but returns false if the path does not exist or cannot be opened.
    bool allow_existing(const std::string& path, rights);
    std::expected<void, std::string> allow_connect(std::uint16_t port);  ///< For TCP. No effect below version 4.

    /// Restricts the calling thread and its children permanently. Sets `no_new_privs`.
    /// Returns 0 or an errno. Async-signal-safe.
    int restrict_thread() const noexcept;

private:
    int add(const std::string& path, rights, bool keep_open);

    int version_;
    int rules_ = -1;
};

}  // namespace apus::sandbox
