// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace apus::redis {

/// The name of a command in capital letters.
/// Empty for a name that is longer than those of all commands of Redis.
class upper_name {
public:
    explicit upper_name(std::string_view command) noexcept;
    std::string_view text() const noexcept { return {room_.data(), size_}; }

private:
    std::array<char, 24> room_;
    std::size_t size_ = 0;
};

/// Returns the reason why a command must not be sent on a connection, or null.
/// Names are case-insensitive. `reserved`: whether the connection is reserved, so that blocking commands are allowed.
const char* fault_of(std::string_view command, bool reserved) noexcept;

/// Returns whether a command of Redis 7 only reads.
/// Such a command can be repeated after the connection was lost.
bool only_reads(std::string_view command) noexcept;
/// Returns whether the reply depends only on the arguments and on the value of one key.
/// The key is the first argument.
bool is_cacheable(std::string_view command) noexcept;

}  // namespace apus::redis
