// SPDX-License-Identifier: Apache-2.0
#include "outbound/counted_request.hpp"

#include <utility>

namespace apus::outbound {

counted_request::counted_request(pool& p) : to_(&p.counts()), begun_(p.loop().io().clock().nanoseconds()) {
    to_->add(requests_in_flight);
}

void counted_request::count(unsigned cell) noexcept {
    auto* const to = std::exchange(to_, nullptr);
    if (!to || !runtime::loop::exists()) return;
    to->add(cell);
    to->subtract(requests_in_flight);
    to->observe(request_durations, runtime::loop::current().io().clock().nanoseconds() - begun_);
}

void counted_request::end(int status) noexcept {
    const int digit = status / 100;
    count(digit >= 2 && digit <= 5 ? requests_failed + static_cast<unsigned>(digit) : requests_failed);
}

void counted_request::end(const error& why) noexcept {
    count(why.status() == 504 ? requests_timeout : why.status() == 503 ? requests_rejected : requests_failed);
}

}  // namespace apus::outbound
