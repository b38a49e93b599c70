// SPDX-License-Identifier: Apache-2.0
#include "compression/bounded_decoder.hpp"

namespace apus::compression {

bounded_decoder::step bounded_decoder::take(std::string_view in, std::span<char> room) {
    const auto inner = inner_->take(in, room);
    used_ += inner.used;
    made_ += inner.made;
    // A decoder that consumes no input and produces no output, although it has input and room, is stuck at bytes after
    // the end of the coding.
    const bool stuck = inner.used == 0 && inner.made == 0 && !in.empty() && !room.empty();
    done_ = inner.state == decoded::done;
    bounded state = done_ ? bounded::done : bounded::partial;
    if (inner.state == decoded::bad || stuck) state = bounded::bad;
    else if (made_ > bounds_.size) state = bounded::too_large;
    else if (made_ > decoding_bounds::ratio_from && made_ / bounds_.ratio > used_) state = bounded::too_dense;
    return {state, inner.used, inner.made};
}

}  // namespace apus::compression
