// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"

#include <cstddef>
#include <vector>

namespace apus::http {

/// Exchanges of one protocol that are not in use, on one core. Each has an `attend` that names it.
template <class Exchange>
class free_exchanges {
public:
    explicit free_exchanges(runtime::core_memory& account) noexcept : account_(account) {}
    free_exchanges(const free_exchanges&) = delete;
    free_exchanges& operator=(const free_exchanges&) = delete;
    ~free_exchanges() {
        for (Exchange* x : all_) drop(x);
    }

    /// One whose `attend` runs that.
    Exchange* take(void (*attend)(runtime::deferred&) noexcept) {
        if (all_.empty()) {
            auto* x = new Exchange;
            account_.add(sizeof(Exchange));
            x->attend.of = x;
            x->attend.run = attend;
            return x;
        }
        Exchange* x = all_.back();
        all_.pop_back();
        return x;
    }

    /// Takes one back that has been reset.
    void give(Exchange* x) noexcept {
        constexpr std::size_t kept = 256;  // of two kilobytes each
        if (all_.capacity() < kept) all_.reserve(kept);
        if (all_.size() < kept) all_.push_back(x);
        else drop(x);
    }

    void drop(Exchange* x) noexcept {
        delete x;
        account_.remove(sizeof(Exchange));
    }

private:
    runtime::core_memory& account_;
    std::vector<Exchange*> all_;
};

}  // namespace apus::http
