// SPDX-License-Identifier: Apache-2.0
#include <apus/detail/deferred_call.hpp>

#include "runtime/loop.hpp"

#include <new>

namespace apus::detail {

struct deferred_call::entry : runtime::deferred {
    deferred_call* of;

    explicit entry(deferred_call& whose) noexcept : of(&whose) {
        run = [](deferred& d) noexcept {
            auto& call = *static_cast<entry&>(d).of;
            call.requested_ = false;
            call.call_(call.with_);
        };
    }
};

void deferred_call::request() noexcept {
    static_assert(sizeof(entry) <= sizeof room_ && alignof(entry) <= alignof(void*));
    if (requested_) return;
    requested_ = true;
    runtime::loop::current().later(*::new (room_) entry(*this));
}

void deferred_call::forget() noexcept {
    runtime::loop::current().forget(*std::launder(reinterpret_cast<entry*>(room_)));
}

}  // namespace apus::detail
