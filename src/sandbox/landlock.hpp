// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace apus::sandbox {

/// Rights to a file, or to everything below a folder.
enum class rights : std::uint8_t {
    read,       ///< Files are read, and folders are listed.
    write,      ///< As `read`; files are written, created, renamed and removed, and folders are made.
    execute,    ///< As `read`; programs are started.
    temporary,  ///< Files are created, read, written and removed. Folders are not listed.
    remove      ///< Files are read and removed.
};

/// A set of rules of Landlock (Linux 5.13): paths and TCP ports that threads may use, nothing else.
/// Descriptors that are already open are not affected.
class landlock {
public:
    /// Returns the version of Landlock in this kernel; 0 without Landlock.
    static int version() noexcept;

    /// Rules for a kernel with this version, which must be at least 1.
    /// Versions below 4 do not restrict ports, and those below 3 do not restrict the truncation of files.
    explicit landlock(int version);
    landlock(const landlock&) = delete;
    landlock& operator=(const landlock&) = delete;
    ~landlock();

    /// Errors are sentences with the path.
    /// Symbolic links are followed: the rule is about the present target.
    std::expected<void, std::string> allow(const std::string& path, rights);
    /// As `allow`; returns false if the path does not exist or cannot be opened.
    bool allow_existing(const std::string& path, rights);
    std::expected<void, std::string> allow_connect(std::uint16_t port);  ///< By TCP. No effect below version 4.

    /// Restricts the calling thread and its children, for ever. Sets `no_new_privs`.
    /// Returns 0 or an errno. Async-signal-safe.
    int restrict_thread() const noexcept;

private:
    int add(const std::string& path, rights, bool keep_open);

    int version_;
    int rules_ = -1;
};

}  // namespace apus::sandbox
