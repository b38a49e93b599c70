// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <unistd.h>

namespace apus::runtime {

/// An open file, shared by those who send it: closed when the last of them is done.
class file {
public:
    explicit file(int fd) noexcept : fd_(fd) {}
    file(const file&) = delete;
    file& operator=(const file&) = delete;
    ~file() { ::close(fd_); }
    int fd() const noexcept { return fd_; }

private:
    int fd_;
};

using file_ref = std::shared_ptr<const file>;

}  // namespace apus::runtime
