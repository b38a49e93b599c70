// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::base {

/// Receives the text of an exception from user code; the client receives only "internal error".
/// Called on any thread, also concurrently.
using thrown_hook = void (*)(std::string_view what) noexcept;

/// Sets the hook and returns the previous hook. nullptr, the default, disables the hook.
/// Thread-safe, and usually called once at server start.
thrown_hook on_thrown(thrown_hook hook) noexcept;

/// Receives each error that becomes a response and has a cause or a status of at least 500.
/// Called before the response is sent. Not called for errors that a `thrown_hook` has received.
using failure_hook = void (*)(int status, std::string_view detail, std::string_view cause) noexcept;

/// Sets the hook like `on_thrown`.
failure_hook on_failure(failure_hook hook) noexcept;
void report_failure(int status, std::string_view detail, std::string_view cause = {}) noexcept;

/// Sets the hook that receives the errors, with any status, of tasks that have no response.
/// The hook is not called for errors that a `thrown_hook` has received.
failure_hook on_task_failure(failure_hook hook) noexcept;
void report_task_failure(int status, std::string_view detail, std::string_view cause) noexcept;

}  // namespace apus::base
