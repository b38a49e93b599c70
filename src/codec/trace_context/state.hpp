// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace apus::codec::trace_context {

/// Members of `tracestate` fields (W3C Trace Context, 3.3).
/// Each tracing system adds its own member and propagates the members of other systems.
class state {
public:
    static constexpr std::size_t max_members = 32;
    static constexpr std::size_t max_size = 512;  ///< Maximum bytes that `append` writes.

    /// Adds the members of a field's value; call it for each field in order.
    /// Returns false for a malformed or duplicate member, and for more than 32 members. The state must then be
    /// discarded. The members refer to `value`.
    bool add(std::string_view value) noexcept;

    bool empty() const noexcept { return count_ == 0; }
    std::span<const std::string_view> members() const noexcept { return {members_.data(), count_}; }

    /// Appends the members as one value.
    /// If they exceed `max_size`, first omits members over 128 bytes, then the last members (W3C Trace Context,
    /// 3.3.1.5).
    void append(std::string& to) const;

private:
    std::array<std::string_view, max_members> members_;
    std::size_t count_ = 0;
};

}  // namespace apus::codec::trace_context
