// SPDX-License-Identifier: Apache-2.0
#include <apus/blocking.hpp>
#include <apus/health.hpp>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include <sys/statvfs.h>

namespace apus {
namespace {

result<std::uint64_t> available_bytes(const std::string& path) {
    struct statvfs found{};
    if (statvfs(path.c_str(), &found) != 0) return fail(503, path + ": " + std::strerror(errno));
    return std::uint64_t{found.f_bavail} * found.f_frsize;
}

}  // namespace

/// Whether a call for the file system is outstanding, shared by copies of a check.
struct disk_space::reading {
    using owner = detail::shared<disk_space, reading>;
    std::atomic<unsigned> owners = 1;
    std::atomic<bool> outstanding = false;

    /// Owned by the call: a check that is cancelled does not end its call.
    class token {
    public:
        explicit token(const owner& of) noexcept : of_(of) {}
        token(token&& other) noexcept : of_(std::move(other.of_)), owns_(std::exchange(other.owns_, false)) {}
        token& operator=(token&&) = delete;
        ~token() {
            if (owns_) of_->outstanding = false;
        }

    private:
        owner of_;
        bool owns_ = true;
    };
};

disk_space::disk_space(std::string path, std::uint64_t bytes)
    : path_(std::move(path)), bytes_(bytes), reading_(new reading) {}

void disk_space::keep(reading* of) noexcept { of->owners.fetch_add(1, std::memory_order_relaxed); }
void disk_space::let_go(reading* of) noexcept {
    if (of->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete of;
}

task<> disk_space::operator()() const {
    if (reading_->outstanding.exchange(true))
        co_await fail(503, path_ + ": the file system has not answered an earlier check");
    reading::token token(reading_);
    // The check may be cancelled while the call runs, so the call owns its path.
    const std::uint64_t available =
        co_await blocking(owning([token = std::move(token), path = path_] { return available_bytes(path); }));
    if (available < bytes_)
        co_await fail(503, path_ + ": " + std::to_string(available) + " bytes available, expected at least " +
                               std::to_string(bytes_));
}

}  // namespace apus
