// SPDX-License-Identifier: Apache-2.0
#pragma once

// Facts about commands that Redis has refused.

#include <apus/error.hpp>
#include <apus/result.hpp>

#include <string>

namespace apus::redis {

/// Code of an error reply from Redis.
/// The text of the reply is omitted, since it can repeat arguments.
struct command_failure {
    /// First word of the reply: "WRONGTYPE", "ERR", "NOPERM", "NOSCRIPT", "OOM", "LOADING" and others.
    std::string code;
};

/// Returns the error reply that caused this error; null for other errors, such as lost connections.
/// The pointer is valid while the error or a copy of the error exists.
const command_failure* failure_of(const error& why) noexcept;
/// Returns the error reply of a result of `.outcome()`.
/// Null if the result has a value or another error.
template <class T>
const command_failure* failure_of(const result<T>& of) noexcept {
    return of ? nullptr : failure_of(of.error());
}

}  // namespace apus::redis
