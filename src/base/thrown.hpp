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

}  // namespace apus::base
