// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/redis_command.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace apus::redis {

/// Slot of the keys of a command, or the reason why a cluster cannot execute the command.
struct command_slot {
    std::optional<std::uint16_t> slot;  ///< Nullopt for a command without keys, which any node executes.
    const char* fault = nullptr;        ///< A static text; null: no fault.
};

/// Finds the keys of a command by its name. The key of an unknown command is its first argument.
command_slot slot_of(const detail::command_text&);

/// Keys of a command, which refer to the command.
struct command_keys {
    std::vector<std::string_view> keys;
    bool all = false;  ///< Whether the command may concern all keys, such as FLUSHALL.
};

/// Finds the keys of a command by its name, like `slot_of`.
command_keys keys_of(const detail::command_text&);

/// Adds the slot of another command, which must be executed together with the earlier ones.
void add_slot(command_slot& to, const command_slot& other) noexcept;

}  // namespace apus::redis
