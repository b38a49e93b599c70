// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::base {

/// Told what an exception of user code says, before its client is told no more than "internal
/// error". Called on any thread, also on several at once.
using thrown_hook = void (*)(std::string_view what) noexcept;

/// Sets who is told; nullptr, as at first, means nobody. The one before is returned. Safe from any
/// thread, and meant to be called once, by what starts the server.
thrown_hook on_thrown(thrown_hook hook) noexcept;

/// Told of each error that becomes a response, before its client is, if its status is 500 or more or it has a
/// cause. Not of those that a `thrown_hook` was told of.
using failure_hook = void (*)(int status, std::string_view detail, std::string_view cause) noexcept;

/// Sets the hook, as `on_thrown` does.
failure_hook on_failure(failure_hook hook) noexcept;
void tell_failure(int status, std::string_view detail, std::string_view cause = {}) noexcept;

/// Told of the error of a task that no response reports, whatever its status. Not of those that a
/// `thrown_hook` was told of.
failure_hook on_task_failure(failure_hook hook) noexcept;
void tell_task_failure(int status, std::string_view detail, std::string_view cause) noexcept;

}  // namespace apus::base
