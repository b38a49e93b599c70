// SPDX-License-Identifier: Apache-2.0
#include "runtime/gate.hpp"

#include <cassert>

namespace apus::runtime {

gate::~gate() { assert(inside_ == 0 && "a gate was destroyed while a pass exists"); }

gate::pass gate::enter() noexcept {
    if (closed_) return {};
    ++inside_;
    return pass(*this);
}

void gate::close(listener told) noexcept {
    assert(!closed_ && "a gate was closed twice");
    closed_ = true;
    told_ = told;
    if (inside_ == 0 && told.empty) told.empty(told.with);
}

void gate::leave() noexcept {
    --inside_;
    // The call may destroy this object.
    if (closed_ && inside_ == 0 && told_.empty) told_.empty(told_.with);
}

}  // namespace apus::runtime
