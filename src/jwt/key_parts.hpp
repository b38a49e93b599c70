// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crypto/signature.hpp"

#include <apus/jwt.hpp>

#include <atomic>

namespace apus::jwt {

struct key::parts {
    crypto::signature_key signature;
    std::string id;
    std::atomic<std::uint32_t> owners{1};
};

/// Internal representation of a key.
struct key_access {
    static const crypto::signature_key& signature(const key& of) noexcept { return of.parts_->signature; }
    /// Creates a key. Limits its id to 256 bytes, since ids are compared for every token.
    static result<key> named(result<crypto::signature_key> signature, std::string_view id) {
        if (!signature) return std::unexpected(signature.error());
        if (id.size() > 256) return fail(500, "the id of a key may have at most 256 bytes");
        return key(new key::parts{*std::move(signature), std::string(id), {1}});
    }
    /// Converts the error of a key that the program loads at start, where there is no request.
    static std::expected<key, std::string> loaded(result<key> made) {
        if (!made) return std::unexpected(made.error().detail());
        return *std::move(made);
    }
};

}  // namespace apus::jwt
