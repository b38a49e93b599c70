// SPDX-License-Identifier: Apache-2.0
#include "http/duration_counts.hpp"

#include <new>

namespace apus::http {

duration_counts::~duration_counts() { delete native_.load(std::memory_order_relaxed); }

base::native_histogram* duration_counts::make_native() noexcept {
    auto* const made = new (std::nothrow) base::native_histogram;
    native_.store(made, std::memory_order_release);
    return made;
}

}  // namespace apus::http
