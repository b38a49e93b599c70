// SPDX-License-Identifier: Apache-2.0
#pragma once

// Signed tokens: JWT (RFC 7519) as compact JWS (RFC 7515), by the rules of RFC 8725. To protect
// routes with them, see auth.hpp.

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

/// How a token is signed (RFC 7518, 3.1; RFC 8037). There is no `none`. The first three are by a
/// secret that both sides have; the others by a key pair, of which the public half verifies.
enum class algorithm : std::uint8_t {
    hs256,
    hs384,
    hs512,
    rs256,
    rs384,
    rs512,
    ps256,
    es256,
    es384,  ///< Verifying one takes 2 ms by OpenSSL 3.0, and other requests of the core wait: prefer the others.
    eddsa   ///< Ed25519.
};

/// A key of exactly one algorithm, which is said here and never by a token. A copy is the same key,
/// and any thread may use it. Loading one happens at start: the error is a sentence that says what is wrong with the
/// key, and shows nothing of it. It has no HTTP status.
class key {
public:
    /// A secret for HMAC: 32, 48 or 64 random bytes at least, by algorithm. A pass phrase is none.
    static std::expected<key, std::string> secret(algorithm, std::string_view bytes, std::string_view id = {});

    /// From a PEM: a public key, or a private one without a passphrase, which also signs. RSA keys
    /// have 2,048 to 8,192 bits.
    static std::expected<key, std::string> pem(algorithm, std::string_view text, std::string_view id = {});

    /// From a JWK (RFC 7517): a public key, or a secret. Its algorithm is its `alg`; without one it
    /// is that of its curve, or RS256 for RSA. A secret needs an `alg`.
    static std::expected<key, std::string> jwk(std::string_view json);

    algorithm alg() const noexcept;        ///< The only one it is for.
    std::string_view id() const noexcept;  ///< What `kid` says in its tokens; may be empty.
    bool signs() const noexcept;           ///< False of a public key.

private:
    friend struct key_access;
    struct parts;
    static void keep(parts*) noexcept;
    static void let_go(parts*) noexcept;
    friend class detail::shared<key, parts>;

    explicit key(parts* made) noexcept : parts_(made) {}
    detail::shared<key, parts> parts_;
};

/// The keys that tokens are verified with. A copy is the same set: make it outside `make_app` and
/// give it to all cores. Any thread may change it at any time; a token is verified with the keys of
/// before or those of after.
///
/// A token's `kid` chooses among keys that have an id. A key without one is asked for the tokens
/// of its algorithm that no id matches. Nothing else in a token chooses a key: `jwk`, `jku`, `x5u`
/// and `x5c` are not looked at.
class key_set {
public:
    key_set();  ///< Without keys: no token is valid.

    /// These keys, for a start. Throws `std::invalid_argument` where `replace` gives an error.
    explicit key_set(const std::vector<key>& keys);

    /// Has these keys from now on and no others. Two of one algorithm and the same id, or over 64,
    /// are an error, and the set stays as it was.
    result<void> replace(const std::vector<key>& keys);

    /// The same from a JWKS (RFC 7517, 5). Keys of other uses and unknown kinds are left out; it is
    /// an error if none is left. For keys of an identity provider: call it with what it serves.
    result<void> replace_by_jwks(std::string_view json);

    std::size_t size() const;  ///< How many keys there are.

private:
    friend struct key_set_access;
    struct parts;
    static void keep(parts*) noexcept;
    static void let_go(parts*) noexcept;
    friend class detail::shared<key_set, parts>;

    detail::shared<key_set, parts> parts_;
};

/// What a verified token says.
class claims {
public:
    std::string_view issuer() const noexcept { return issuer_; }
    std::string_view subject() const noexcept { return subject_; }  ///< Empty if it says none.
    std::int64_t expires() const noexcept { return expires_; }      ///< Seconds since 1970, or 0 if never.

    /// The characters of a claim that is a text; empty if there is none, or one of another type.
    std::string text(std::string_view name) const;
    /// A claim that is a number: its whole part, if it is from 0 to 2^53 - 1.
    std::optional<std::int64_t> number(std::string_view name) const;
    /// The texts of a claim that is an array, or the one text that it is. Nothing if it is neither.
    std::vector<std::string> texts(std::string_view name) const;

    std::string_view json() const noexcept { return json_; }  ///< All of them: a JSON object.

private:
    friend struct claims_access;
    std::string json_;
    std::string issuer_;
    std::string subject_;
    std::int64_t expires_ = 0;
};

/// What a token must be to be taken. Compared exactly.
struct expectations {
    std::string issuer;         ///< What `iss` must say. Must not be empty.
    std::string audience;       ///< What `aud` must say or contain. Empty only with `any_audience`.
    bool any_audience = false;  ///< For issuers that write no `aud` in their tokens.
    /// What `typ` must say, such as "at+jwt" (RFC 9068). Empty: that, "JWT" or none.
    std::string type = {};
    bool may_last_forever = false;     ///< Take tokens without `exp` too.
    duration skew = seconds(60);       ///< How far clocks may differ. At most 10 minutes.
    duration longest_age = {};         ///< Since `iat`, which is then needed. 0: as long as `exp` says.
    std::size_t longest_token = 8192;  ///< In bytes.
    /// Verified tokens that a core remembers, so as not to verify them anew. 0: none.
    unsigned remembered = 256;
};

/// Verifies tokens. Of one core: make it in `make_app`, with a `key_set` of all cores.
class verifier {
public:
    /// Throws `std::invalid_argument` if what is expected makes no sense.
    verifier(key_set keys, expectations what);
    verifier(verifier&&) noexcept;
    verifier& operator=(verifier&&) = delete;
    ~verifier();

    /// What the token says, or a 401 that says what is wrong with it. Takes 60 to 300 us for a
    /// token of a key pair that is not remembered (es384: 2 ms), 5 us otherwise; does not wait.
    result<claims> verify(std::string_view token) const;

    /// The same at another time, in seconds since 1970: for tests.
    result<claims> verify(std::string_view token, std::int64_t now) const;

    /// Whether no key has the token's `kid` and algorithm: perhaps there is a new one. True for what
    /// anybody may make up, so bound how often you fetch keys: by `should_refresh`.
    bool misses_key(std::string_view token) const;

    /// Whether the caller is to fetch the keys now, since the token misses one. True for one caller in
    /// each interval, of all that use the same `key_set`.
    bool should_refresh(std::string_view token, duration interval) const;

    /// Says that a fetch was stopped before it came to an end: the next may begin in a second.
    void refresh_was_stopped(duration interval) const noexcept;

private:
    struct parts;
    parts* parts_;
};

/// What a new token says.
struct contents {
    std::string issuer;
    std::string subject;
    std::string audience;
    duration lifetime = seconds(900);  ///< From now to `exp`. At least a second.
    /// As `scope`, with spaces between (RFC 8693, 4.2). Left out if there are none.
    std::vector<std::string> scopes = {};
    std::vector<std::string> roles = {};  ///< As `roles` (RFC 9068, 2.2.3.1). Left out if there are none.
    std::string more = {};                ///< Other claims: a JSON object, such as `{"name":"Ann"}`.
};

/// A token signed by `by`, which must have its private half. `iat`, `exp` and a random `jti`
/// are added, and `kid` if the key has an id. A mistake in `what` is an error of status 500.
result<std::string> sign(const key& by, const contents& what);

/// The same at another time, in seconds since 1970: for tests.
result<std::string> sign(const key& by, const contents& what, std::int64_t now);

}  // namespace apus::jwt
