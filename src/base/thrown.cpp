// SPDX-License-Identifier: Apache-2.0
#include "base/thrown.hpp"

#include <apus/task.hpp>

#include <atomic>
#include <exception>
#include <new>

namespace apus {
namespace {

std::atomic<base::thrown_hook> listener = nullptr;

void tell(std::string_view what) noexcept {
    if (auto hook = listener.load(std::memory_order_acquire)) hook(what);
}

}  // namespace

base::thrown_hook base::on_thrown(thrown_hook hook) noexcept {
    return listener.exchange(hook, std::memory_order_acq_rel);
}

// Both texts fit into a string without an allocation: there may be no memory to say so.
error detail::error_from_current_exception() {
    try {
        throw;
    } catch (const std::bad_alloc& e) {
        tell(e.what());
        return error(503, "out of memory");
    } catch (const std::exception& e) {
        tell(e.what());
    } catch (...) {
        tell("an exception that is no std::exception");
    }
    return error(500, "internal error");
}

}  // namespace apus
