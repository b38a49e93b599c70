// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <expected>
#include <string>
#include <utility>

#include <sys/types.h>

namespace apus::server {

/// A file that contains the ID of this process.
/// The destructor removes the file, unless another process has written its own ID.
class pid_file {
public:
    explicit pid_file(std::string path) : path_(std::move(path)) {}  ///< An empty path: no file.
    pid_file(const pid_file&) = delete;
    pid_file& operator=(const pid_file&) = delete;
    ~pid_file();

    // The functions return a message on failure.
    std::expected<void, std::string> write();    ///< Replaces the file atomically.
    std::expected<void, std::string> prepare();  ///< Writes a temporary file, in the same folder.
    std::expected<void, std::string> publish();  ///< Replaces the file by the prepared one.
    void discard_prepared_by(pid_t) const;       ///< Removes the temporary file of a process that was killed.

private:
    std::unexpected<std::string> cannot_write() const;
    std::string prepared_by(pid_t) const;

    std::string path_;
    std::string next_ = {};  // the prepared file
    bool written_ = false;
};

}  // namespace apus::server
