// SPDX-License-Identifier: Apache-2.0
#include "runtime/loop.hpp"

#include <apus/sleep.hpp>

namespace apus {

struct yield::note : runtime::posted_call {
    std::coroutine_handle<> waiter;
};

void yield::await_suspend(std::coroutine_handle<> waiter) {
    letter_ = new note;
    letter_->waiter = waiter;
    letter_->run = [](runtime::posted_call& l) noexcept {
        auto& self = static_cast<note&>(l);
        const auto who = self.waiter;
        delete &self;
        if (who) who.resume();
    };
    runtime::loop::current().post(*letter_);
}

yield::~yield() {
    if (letter_) letter_->waiter = {};
}

}  // namespace apus
