// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/backend.hpp"
#include "runtime/loop.hpp"

#include <memory>
#include <string>
#include <utility>

namespace apus::test {

/// A loop on this thread with this backend, or with epoll if the kernel lacks it.
struct core {
    explicit core(const char* name = "epoll") {
        std::string why;
        auto io = runtime::make_backend(name, why);
        loop = std::make_unique<runtime::loop>(io ? std::move(io) : runtime::make_epoll_backend());
    }
    std::unique_ptr<runtime::loop> loop;
};

}  // namespace apus::test
