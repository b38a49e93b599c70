// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace apus::server {

/// A file that contains the ID of this process.
/// The destructor removes the file, unless another process has written its own ID.
class pid_file {
public:
    explicit pid_file(std::string path) : path_(std::move(path)) {}  ///< An empty path: no file.
    pid_file(const pid_file&) = delete;
    pid_file& operator=(const pid_file&) = delete;
    ~pid_file();

    std::expected<void, std::string> write();  ///< Replaces the file atomically. Returns a message on failure.

private:
    std::string path_;
    bool written_ = false;
};

}  // namespace apus::server
