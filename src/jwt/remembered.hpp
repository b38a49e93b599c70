// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jwt/claims_access.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace apus::jwt {

/// Claims of verified tokens, by the token's SHA-256. Used by one core only.
/// Has a fixed number of slots. The digest selects the slot, and a new token replaces the previous token of the slot.
class remembered {
public:
    explicit remembered(unsigned most);

    /// Returns the claims of the token with this digest, or null.
    const believed* find(std::string_view digest, std::int64_t now) const noexcept;
    void keep(std::string_view digest, const believed& what);
    void clear() noexcept;

    bool keeps_none() const noexcept { return places_.empty(); }

private:
    struct place {
        std::string digest;
        believed what;
    };
    std::size_t place_of(std::string_view digest) const noexcept;

    std::vector<place> places_;
};

}  // namespace apus::jwt
