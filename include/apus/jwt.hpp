// SPDX-License-Identifier: Apache-2.0
#pragma once

// Signed tokens: JWT (RFC 7519) as compact JWS (RFC 7515), by the rules of RFC 8725. To authenticate requests with
// tokens, see bearer_auth.hpp.

#include <apus/detail/shared.hpp>
#include <apus/duration.hpp>
#include <apus/error.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apus::jwt {

/// Signature algorithm of a token (RFC 7518, 3.1; RFC 8037).
/// The algorithm `none` is not supported. The first three use a shared secret. The others use a key pair: the public
/// key verifies.
enum class algorithm : std::uint8_t {
    hs256,
    hs384,
    hs512,
    rs256,
    rs384,
    rs512,
    ps256,
    es256,
    es384,  ///< Slow: OpenSSL 3.0 takes 2 ms to verify a token, which delays other requests of the core.
    eddsa   ///< Ed25519.
};

/// A key for exactly one algorithm.
/// The program selects the algorithm, not the token. Copies share the key; any thread may use them. Load keys at start:
/// the functions that create keys return an error as text, without an HTTP status and without parts of the key.
class key {
public:
    /// Creates a key from an HMAC secret: at least 32 (hs256), 48 (hs384) or 64 (hs512) random bytes.
    static std::expected<key, std::string> secret(algorithm, std::string_view bytes, std::string_view id = {});

    /// Creates a key from PEM text with a public key, or a private key without a passphrase.
    /// A private key can also sign. RSA keys have 2,048 to 8,192 bits.
    static std::expected<key, std::string> pem(algorithm, std::string_view text, std::string_view id = {});

    /// Creates a key from a JWK (RFC 7517) with a public key or a secret.
    /// Without `alg`, the curve determines the algorithm, and RSA means RS256. A secret requires `alg`.
    static std::expected<key, std::string> jwk(std::string_view json);

    algorithm alg() const noexcept;        ///< The key's only algorithm.
    std::string_view id() const noexcept;  ///< Key id (`kid`); may be empty.
    bool signs() const noexcept;           ///< False for a public key.

private:
    friend struct key_access;
    struct parts;
    static void keep(parts*) noexcept;
    static void let_go(parts*) noexcept;
    friend class detail::shared<key, parts>;

    explicit key(parts* made) noexcept : parts_(made) {}
    detail::shared<key, parts> parts_;
};

/// The keys that verify tokens.
/// Copies refer to the same set: create it outside `make_app` and share it between cores. Any thread may change the set
/// at any time; each token is verified with either the old or the new keys.
///
/// A token's `kid` selects a key by its id. If no id matches, keys without an id are tried. Other header parameters
/// that could select a key are ignored: `jwk`, `jku`, `x5u` and `x5c`.
class key_set {
public:
    key_set();  ///< Creates an empty set, with which no token is valid.

    /// Creates a set of keys. Throws `std::invalid_argument` if `replace` would return an error.
    explicit key_set(const std::vector<key>& keys);

    /// Replaces all keys.
    /// Fails for more than 64 keys, or two keys with the same algorithm and id; then the set is not changed.
    result<void> replace(const std::vector<key>& keys);

    /// Replaces all keys by the keys of a JWKS (RFC 7517, 5), such as the JWKS of an identity provider.
    /// Ignores keys that are malformed, unsupported, or not for verifying signatures. Fails if no key remains.
    result<void> replace_by_jwks(std::string_view json);

    std::size_t size() const;  ///< Number of keys.

private:
    friend struct key_set_access;
    struct parts;
    static void keep(parts*) noexcept;
    static void let_go(parts*) noexcept;
    friend class detail::shared<key_set, parts>;

    detail::shared<key_set, parts> parts_;
};

/// Claims of a verified token.
class claims {
public:
    std::string_view issuer() const noexcept { return issuer_; }
    std::string_view subject() const noexcept { return subject_; }  ///< Empty if absent.
    std::int64_t expires() const noexcept { return expires_; }      ///< Seconds since 1970; 0: never.

    /// Returns a string claim; empty if missing or of another type.
    std::string text(std::string_view name) const;
    /// Returns the integer part of a number claim; empty unless it is from 0 to 2^53 - 1.
    std::optional<std::int64_t> number(std::string_view name) const;
    /// Returns the strings of an array claim, or the one string of a string claim; otherwise empty.
    std::vector<std::string> texts(std::string_view name) const;

    std::string_view json() const noexcept { return json_; }  ///< All claims, as a JSON object.

private:
    friend struct claims_access;
    std::string json_;
    std::string issuer_;
    std::string subject_;
    std::int64_t expires_ = 0;
};

/// Options of a `verifier`: required claims of a token, compared byte by byte, and limits.
struct verifier_options {
    std::string issuer;         ///< Required `iss`. Must not be empty.
    std::string audience;       ///< Required value of `aud`, or of one of its items. Empty only with `any_audience`.
    bool any_audience = false;  ///< For issuers whose tokens have no `aud`.
    /// Required `typ`, such as "at+jwt" (RFC 9068). Empty: "at+jwt", "JWT" or no `typ`.
    std::string type = {};
    bool may_last_forever = false;     ///< Also accept tokens without `exp`.
    duration skew = seconds(60);       ///< Maximum difference of clocks. At most 10 minutes.
    duration longest_age = {};         ///< Maximum age by `iat`, which is then required. 0: not checked.
    std::size_t longest_token = 8192;  ///< Maximum bytes of a token.
    /// Maximum verified tokens in the cache of a core. 0: no cache.
    unsigned remembered = 256;
};

/// Verifies tokens.
/// Belongs to one core: create it in `make_app`, with a `key_set` shared by all cores.
class verifier {
public:
    /// Throws `std::invalid_argument` if the options are invalid.
    verifier(key_set keys, verifier_options how);
    verifier(verifier&&) noexcept;
    verifier& operator=(verifier&&) = delete;
    ~verifier();

    /// Returns the claims, or a 401 with the reason.
    /// Does not wait. Takes 60 to 300 us for an uncached token signed with a key pair (es384: 2 ms), otherwise 5 us.
    result<claims> verify(std::string_view token) const;

    /// Like `verify(token)`, at the given time in seconds since 1970: for tests.
    result<claims> verify(std::string_view token, std::int64_t now) const;

    /// Returns true if no key matches the token's `kid` and algorithm: the key set may be outdated.
    /// Clients can send such tokens at will: use `should_refresh` to limit how often keys are fetched.
    bool misses_key(std::string_view token) const;

    /// Returns true if the token's key is missing and the caller should fetch keys now.
    /// Among all users of the `key_set`, one caller per interval gets true.
    bool should_refresh(std::string_view token, duration interval) const;

    /// Reports that a fetch was interrupted. The next fetch may then start after one second.
    void refresh_was_stopped(duration interval) const noexcept;

private:
    struct parts;
    parts* parts_;
};

/// Claims of a new token.
struct contents {
    std::string issuer;
    std::string subject;
    std::string audience;
    duration lifetime = seconds(900);  ///< Time from now to `exp`. At least one second.
    /// The claim `scope`, separated by spaces (RFC 8693, 4.2). Omitted if empty.
    std::vector<std::string> scopes = {};
    std::vector<std::string> roles = {};  ///< The claim `roles` (RFC 9068, 2.2.3.1). Omitted if empty.
    std::string more = {};                ///< Other claims, as a JSON object: `{"name":"Ann"}`.
};

/// Signs a token with `by`, which must include the private key.
/// Adds `iat`, `exp` and a random `jti`, and `kid` if the key has an id. Fails with error 500 if `what` is invalid.
result<std::string> sign(const key& by, const contents& what);

/// Like `sign(by, what)`, at the given time in seconds since 1970: for tests.
result<std::string> sign(const key& by, const contents& what, std::int64_t now);

}  // namespace apus::jwt
