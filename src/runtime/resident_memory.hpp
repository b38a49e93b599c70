// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace apus::runtime {

/// Reads how much memory of this process is resident, from /proc/self/statm, which it keeps open.
/// A confined process may use it too, if it was created before the confinement.
class resident_memory {
public:
    resident_memory() noexcept;
    resident_memory(const resident_memory&) = delete;
    resident_memory& operator=(const resident_memory&) = delete;
    ~resident_memory();

    std::uint64_t bytes() const noexcept;  ///< 0 if it cannot be determined. Takes a few microseconds.

private:
    int file_;
};

}  // namespace apus::runtime
