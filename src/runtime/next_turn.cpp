// SPDX-License-Identifier: Apache-2.0
#include "runtime/next_turn.hpp"

#include "runtime/loop.hpp"

#include <utility>

namespace apus::runtime {

struct next_turn::note : letter {
    std::coroutine_handle<> waiter;
};

void next_turn::await_suspend(std::coroutine_handle<> waiter) {
    letter_ = new note;
    letter_->waiter = waiter;
    letter_->open = [](letter& l) noexcept {
        auto& self = static_cast<note&>(l);
        const auto who = self.waiter;
        delete &self;
        if (who) who.resume();
    };
    loop::current().post(*letter_);
}

next_turn::~next_turn() {
    if (letter_) letter_->waiter = {};
}

}  // namespace apus::runtime
