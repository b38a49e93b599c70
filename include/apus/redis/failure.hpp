// SPDX-License-Identifier: Apache-2.0
#pragma once

// Facts about commands that Redis has refused.

#include <apus/error.hpp>
#include <apus/result.hpp>

#include <string>

namespace apus::redis {

/// An error reply of Redis, without the values that its text may repeat.
struct command_failure {
    /// First word of the reply: "WRONGTYPE", "ERR", "NOPERM", "NOSCRIPT", "OOM", "LOADING" and others.
    std::string code;
};

/// Returns the error reply that caused this error; null for other errors, such as lost connections.
/// Valid as long as the error or a copy of it.
const command_failure* failure_of(const error& why) noexcept;
/// The same for a result of `.outcome()`; null if it has a value.
template <class T>
const command_failure* failure_of(const result<T>& of) noexcept {
    return of ? nullptr : failure_of(of.error());
}

}  // namespace apus::redis
