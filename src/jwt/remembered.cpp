// SPDX-License-Identifier: Apache-2.0
#include "jwt/remembered.hpp"

#include <cstring>

namespace apus::jwt {

remembered::remembered(unsigned most) : places_(most) {}

std::size_t remembered::place_of(std::string_view digest) const noexcept {
    std::uint64_t number;
    std::memcpy(&number, digest.data(), sizeof number);
    return number % places_.size();
}

const believed* remembered::find(std::string_view digest, std::int64_t now) const noexcept {
    const place& at = places_[place_of(digest)];
    return at.digest == digest && now < at.what.until ? &at.what : nullptr;
}

void remembered::keep(std::string_view digest, const believed& what) {
    place& at = places_[place_of(digest)];
    at.digest.clear();  // invalidates the entry, since copying may throw
    at.what = what;
    at.digest = digest;
}

void remembered::clear() noexcept {
    for (place& at : places_) at = {};
}

}  // namespace apus::jwt
