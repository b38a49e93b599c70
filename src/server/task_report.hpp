// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/task_listing.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace apus::server {

/// Returns the listing as a JSON document.
/// Lists at most `limit` tasks: the tasks that have waited longest.
std::string tasks_as_json(const task_listing&, std::size_t limit);

/// Returns the listing as text.
/// Tasks that wait at the same place for the same route are one entry. `limit` as above.
std::string tasks_as_text(const task_listing&, std::size_t limit);

/// Returns the name of a coroutine from `std::source_location::function_name()`.
/// Omits the return type, template arguments, and the type of the coroutine frame, which g++ 12 adds.
std::string_view coroutine_name(std::string_view function) noexcept;

}  // namespace apus::server
