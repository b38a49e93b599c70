// SPDX-License-Identifier: Apache-2.0
#include "outbound/decoded_body.hpp"

namespace apus::outbound {

void decoded_body::feed(std::string_view coded) noexcept {
    coded_ = coded;
    fed_ = true;
}

std::string_view decoded_body::next() {
    while (!broken_ && (!coded_.empty() || more_)) {
        const auto step = decoder_.take(coded_, room_);
        broken_ = step.state != compression::bounded::partial && step.state != compression::bounded::done;
        if (broken_) break;
        coded_.remove_prefix(step.used);
        more_ = step.made == room_.size();
        made_ += step.made;
        if (step.made) return {room_.data(), step.made};
    }
    return {};
}

bool decoded_body::should_yield() noexcept {
    constexpr std::size_t enough = 256 * 1024;  // bytes; decoding them takes about a millisecond
    if (made_ < enough) return false;
    made_ = 0;
    return true;
}

}  // namespace apus::outbound
