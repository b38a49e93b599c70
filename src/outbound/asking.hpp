// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/exchange.hpp"

#include <memory>

namespace apus::outbound {

/// Sends a request, repeats it where that is safe and wanted, and follows redirections, up to the
/// head of the response that is the answer. `due` in milliseconds of the loop.
task<std::unique_ptr<exchange>> ask(pool&, detail::asked&, std::uint64_t due);

/// Whether asking twice does what asking once does (RFC 9110, 9.2.2).
bool is_idempotent(std::string_view verb) noexcept;

}  // namespace apus::outbound
