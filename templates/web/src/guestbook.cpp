// SPDX-License-Identifier: Apache-2.0
#include "guestbook.hpp"

#include <utility>

void guestbook::sign(entry written) {
    const std::lock_guard hold(lock_);
    entries_.push_back(std::move(written));
}

std::vector<entry> guestbook::entries() const {
    const std::lock_guard hold(lock_);
    return entries_;
}
