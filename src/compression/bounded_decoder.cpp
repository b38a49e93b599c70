// SPDX-License-Identifier: Apache-2.0
#include "compression/bounded_decoder.hpp"

namespace apus::compression {

bounded_decoder::step bounded_decoder::take(std::string_view in, std::span<char> room) {
    const auto step = inner_->take(in, room);
    used_ += step.used;
    made_ += step.made;
    // With bytes and room a decoder goes on, unless it is at the end of the coding.
    const bool stuck = step.used == 0 && step.made == 0 && !in.empty() && !room.empty();
    done_ = step.state == decoded::done;
    bounded state = done_ ? bounded::done : bounded::partial;
    if (step.state == decoded::bad || stuck) state = bounded::bad;
    else if (made_ > bounds_.size) state = bounded::too_large;
    else if (made_ > decoding_bounds::ratio_from && made_ / bounds_.ratio > used_) state = bounded::too_dense;
    return {state, step.used, step.made};
}

}  // namespace apus::compression
