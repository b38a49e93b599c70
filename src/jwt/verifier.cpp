// SPDX-License-Identifier: Apache-2.0
#include "crypto/digest.hpp"
#include "jwt/key_set_parts.hpp"
#include "jwt/remembered.hpp"
#include "jwt/token.hpp"
#include "runtime/loop.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace apus::jwt {

struct verifier::parts {
    key_set set;
    verifier_options what;
    std::string type;  // required `typ`, in lower case
    remembered known;
    std::shared_ptr<const key_list> keys;
    std::uint64_t version = 0;

    parts(key_set of, verifier_options w)
        : set(std::move(of)), what(std::move(w)), type(what.type), known(what.remembered) {
        for (char& c : type)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    }

    void refresh_keys();
    const key* key_for(const token&) const noexcept;
    const char* check(std::string_view text, std::int64_t now, believed& out) const;
};

namespace {

constexpr unsigned max_remembered = 65'536;

std::int64_t monotonic() noexcept { return std::chrono::steady_clock::now().time_since_epoch().count(); }

void check_options(const verifier_options& what) {
    if (what.issuer.empty()) throw std::invalid_argument("jwt: the expected issuer is empty");
    if (what.audience.empty() != what.any_audience)
        throw std::invalid_argument("jwt: set either `audience` or `any_audience`");
    if (what.skew < duration() || what.skew > seconds(600))
        throw std::invalid_argument("jwt: the clock skew must be from 0 to 10 minutes");
    if (what.longest_age < duration()) throw std::invalid_argument("jwt: the maximum age is negative");
    if (what.longest_token == 0 || what.longest_token > 65'536)
        throw std::invalid_argument("jwt: the maximum token size must be from 1 to 65536 bytes");
    if (what.remembered > max_remembered) throw std::invalid_argument("jwt: at most 65536 tokens can be cached");
}

}  // namespace

// Forgets verified tokens when keys change, since tokens signed with a removed key must no longer be accepted.
void verifier::parts::refresh_keys() {
    const auto& of = *key_set_access::parts_of(set);
    const std::uint64_t current = of.version.load(std::memory_order_acquire);
    if (current == version) return;
    version = current;
    keys = of.now();
    known.clear();
}

const key* verifier::parts::key_for(const token& t) const noexcept {
    const key* without_id = nullptr;
    for (const key& k : *keys) {
        if (key_access::signature(k).algorithm() != t.algorithm) continue;
        if (t.key_id && k.id() == *t.key_id) return &k;
        if (k.id().empty() || (!t.key_id && keys->size() == 1)) without_id = &k;
    }
    return without_id;
}

const char* verifier::parts::check(std::string_view text, std::int64_t now, believed& out) const {
    token t;
    if (const char* why = read_token(text, t)) return why;
    if (!type.empty() ? t.type != type : !(t.type.empty() || t.type == "jwt" || t.type == "at+jwt"))
        return "the token has the wrong type";
    const key* const k = key_for(t);
    if (!k) return "unknown key: no key matches the token's `kid` and `alg`";
    if (!key_access::signature(*k).verifies(t.signed_part, t.signature)) return "the token's signature does not match";
    return claims_access::read(t.payload, what, now, out);
}

verifier::verifier(key_set keys, verifier_options what) : parts_(nullptr) {
    check_options(what);
    parts_ = new parts(std::move(keys), std::move(what));
}
verifier::verifier(verifier&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
verifier::~verifier() { delete parts_; }

result<claims> verifier::verify(std::string_view token) const { return verify(token, runtime::unix_seconds()); }

result<claims> verifier::verify(std::string_view token, std::int64_t now) const {
    parts& p = *parts_;
    if (token.size() > p.what.longest_token) return fail(401, "the token is too long");
    p.refresh_keys();
    const std::string digest = p.known.keeps_none() ? std::string() : crypto::sha256(token);
    if (!digest.empty())
        if (const believed* known = p.known.find(digest, now)) return known->said;
    believed what;
    if (const char* why = p.check(token, now, what)) return fail(401, why);
    if (!digest.empty()) p.known.keep(digest, what);
    return std::move(what.said);
}

bool verifier::misses_key(std::string_view text) const {
    token t;
    if (text.size() > parts_->what.longest_token || read_token(text, t)) return false;
    parts_->refresh_keys();
    return !parts_->key_for(t);
}

bool verifier::should_refresh(std::string_view token, duration interval) const {
    if (!misses_key(token)) return false;
    auto& due = key_set_access::parts_of(parts_->set)->refresh_due;
    std::int64_t seen = due.load(std::memory_order_relaxed);
    const std::int64_t now = monotonic();
    return now >= seen && due.compare_exchange_strong(seen, now + interval.nanoseconds());
}

void verifier::refresh_was_stopped(duration interval) const noexcept {
    const std::int64_t soon = monotonic() + std::min(interval, seconds(1)).nanoseconds();
    key_set_access::parts_of(parts_->set)->refresh_due.store(soon, std::memory_order_relaxed);
}

}  // namespace apus::jwt
