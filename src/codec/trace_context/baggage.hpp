// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace apus::codec::trace_context {

/// Members of `baggage` fields (W3C Baggage, 3.3): values that services propagate with requests.
class baggage {
public:
    static constexpr std::size_t max_members = 64;
    static constexpr std::size_t max_size = 8192;  ///< Bytes of all members, as one value.

    struct member {
        std::string_view key;         ///< A token.
        std::string_view value;       ///< As sent: percent-encoded UTF-8.
        std::string_view properties;  ///< As sent, after the first `;`. May be empty.
    };

    /// Adds the members of a field's value; call it for each field in order.
    /// Returns false if a member is malformed, or a limit is exceeded. The baggage must then be discarded, because its
    /// members are incomplete. The members refer to `value`.
    bool add(std::string_view value) noexcept;

    bool empty() const noexcept { return count_ == 0; }
    std::span<const member> members() const noexcept { return {members_.data(), count_}; }

    void append(std::string& to) const;  ///< Appends the members as one value.

private:
    std::array<member, max_members> members_;
    std::size_t count_ = 0, size_ = 0;
};

}  // namespace apus::codec::trace_context
