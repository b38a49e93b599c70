// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

// Names that may be sent to a NATS server. Spaces, control characters and line breaks would begin other arguments or
// operations, so a name from a client of the program could otherwise inject operations.

namespace apus::codec::nats {

/// Maximum bytes of a subject. Servers limit a line to 4,096 bytes by default.
inline constexpr std::size_t max_subject = 1'024;

/// Returns whether messages can be published to this subject.
/// A subject has tokens that are joined by `.`, without wildcards.
bool is_subject(std::string_view) noexcept;
/// Returns whether this subject can be subscribed to.
/// A token may be `*`, and the last token may be `>`.
bool is_pattern(std::string_view) noexcept;
/// Returns whether this is a valid name of a queue group.
bool is_queue(std::string_view) noexcept;

}  // namespace apus::codec::nats
