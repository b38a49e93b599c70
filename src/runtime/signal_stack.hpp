// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace apus::runtime {

/// A signal stack for this thread, so that handlers of signals run after a stack overflow too.
class signal_stack {
public:
    signal_stack() noexcept;
    signal_stack(const signal_stack&) = delete;
    signal_stack& operator=(const signal_stack&) = delete;
    ~signal_stack();

private:
    std::unique_ptr<char[]> bytes_;  // null if the thread already had a signal stack
};

}  // namespace apus::runtime
