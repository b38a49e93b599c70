// SPDX-License-Identifier: Apache-2.0
#include "base/duration_counts.hpp"

#include <new>

namespace apus::base {

duration_counts::~duration_counts() { delete native_.load(std::memory_order_relaxed); }

native_histogram* duration_counts::make_native() noexcept {
    auto* const made = new (std::nothrow) native_histogram;
    native_.store(made, std::memory_order_release);
    return made;
}

}  // namespace apus::base
