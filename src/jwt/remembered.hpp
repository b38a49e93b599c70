// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jwt/claims_access.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace apus::jwt {

/// Tokens that were verified, by their SHA-256: as many as it was made for, each with its only
/// place, where it is forgotten for the next one of that place. Of one core.
class remembered {
public:
    explicit remembered(unsigned most);

    /// What the token of this digest said, or null.
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
