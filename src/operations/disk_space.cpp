// SPDX-License-Identifier: Apache-2.0
#include <apus/blocking.hpp>
#include <apus/health.hpp>

#include <cerrno>
#include <cstring>

#include <sys/statvfs.h>

namespace apus {
namespace {

result<std::uint64_t> available_bytes(const std::string& path) {
    struct statvfs found{};
    if (statvfs(path.c_str(), &found) != 0) return fail(503, path + ": " + std::strerror(errno));
    return std::uint64_t{found.f_bavail} * found.f_frsize;
}

}  // namespace

task<> disk_space::operator()() const {
    // The check may be cancelled while the call runs, so the call owns its path.
    const std::uint64_t available =
        co_await blocking([](const std::string& path) { return available_bytes(path); }, path_);
    if (available < bytes_)
        co_await fail(503, path_ + ": " + std::to_string(available) + " bytes available, expected at least " +
                               std::to_string(bytes_));
}

}  // namespace apus
