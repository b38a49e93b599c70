// SPDX-License-Identifier: Apache-2.0
#include <apus/idempotency.hpp>

#include "base/ascii.hpp"
#include "base/reason.hpp"
#include "codec/fields/idempotency_key.hpp"
#include "crypto/base64.hpp"
#include "crypto/digest.hpp"
#include "crypto/hmac.hpp"
#include "http/exchange.hpp"
#include "middleware/idempotency_record.hpp"
#include "middleware/middleware_counts.hpp"

#include <apus/identity.hpp>
#include <apus/log.hpp>
#include <apus/session.hpp>
#include <apus/task_scope.hpp>

#include <new>
#include <stdexcept>
#include <utility>

namespace apus {

struct idempotency::parts {
    parts(idempotency_store& s, const idempotency_options& o, detail::caller_function c)
        : store(s), how(o), caller(c) {}
    parts(const parts&) = delete;
    parts& operator=(const parts&) = delete;
    ~parts() { caller.destroy(caller.self); }

    idempotency_store& store;
    const idempotency_options how;
    const detail::caller_function caller;
    mutable task_scope endings{{.on_failure = task_failure::only_logged, .limit = 10'000, .name = "idempotency"}};
};

namespace {

constexpr std::string_view field_name = "idempotency-key";

std::size_t lines_of_key(const request& req) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < req.header_count(); ++i)
        count += base::equal_ignoring_case(req.header_at(i).name, field_name) ? 1 : 0;
    return count;
}

std::string key_in_store(std::string_view caller, const request& req, std::string_view key) {
    std::string all(req.method_text());
    for (const std::string_view part : {caller, req.path(), key})
        all.append(" ").append(std::to_string(part.size())).append(" ").append(part);
    return crypto::base64url(crypto::hmac_sha256("apus idempotency", all));
}

// Returns the SHA-256 of query and body. Keeps the body in memory, so that the handler can read it.
task<std::string> take_fingerprint(request& req) {
    http::exchange& x = detail::exchange_of(req);
    if (x.plan->body != http::body_mode::whole) {
        std::string body = co_await req.body();
        x.filter = nullptr;  // the filter has already decoded the body
        x.collected = std::move(body);
        x.body = x.collected;
    }
    co_return crypto::sha256(std::string(req.query()).append("\n").append(x.body));
}

// Returns whether the status asks the client to repeat the request later.
bool is_temporary(int status) noexcept { return status == 408 || status == 425 || status == 429; }

result<response> respond_again(std::string_view stored, std::string_view fingerprint) {
    const auto record = middleware::read_record(stored);
    if (!record) {
        log::warn("idempotency: the stored value of a key is invalid, or was stored by another version");
        return fail(409, "the Idempotency-Key is in use");
    }
    if (record->fingerprint != fingerprint)
        return fail(422, "the Idempotency-Key was used for another request: send a new key");
    if (record->status == 0)
        return fail(409, "a request with this Idempotency-Key is in progress").header("Retry-After", "1");
    if (!record->kept)
        return fail(409, "a request with this Idempotency-Key has ended with status " + std::to_string(record->status) +
                             ", but its response is not stored");
    response out;
    record->kept->put_into(out);
    out.header("Idempotent-Replayed", "true");
    return out;
}

// How the claim of a key ends: with an empty value the key is released, otherwise the value is stored.
struct ending {
    std::string key, claim, value{};
};

// Returns false if the claim has expired before its value could be stored.
template <class Parts>
task<bool> carry_out(const Parts& p, const ending& of) {
    if (!of.value.empty()) co_return co_await p.store.complete(of.key, of.claim, of.value, p.how.lifetime);
    co_await p.store.release(of.key, of.claim);
    co_return true;
}

// Used for cancelled requests. Errors are ignored, since the claim expires.
template <class Parts>
task<> carry_out_later(const Parts& p, ending of) {
    static_cast<void>(co_await carry_out(p, of).outcome());
}

// A key that a request claims. If the request is cancelled during a call of the store, the destructor starts a task
// that carries out the ending. If the request is cancelled while the handler runs, the claim is kept until its lease
// ends, because effects of the handler may continue after the cancellation, such as a `blocking` call or a COMMIT in
// flight.
template <class Parts>
class claimed_key {
public:
    claimed_key(const Parts& p, ending how) noexcept : p_(p), how_(std::move(how)) {}
    claimed_key(const claimed_key&) = delete;
    claimed_key& operator=(const claimed_key&) = delete;
    ~claimed_key() {
        if (!in_store_) return;
        try {
            static_cast<void>(p_.endings.try_spawn(carry_out_later(p_, std::move(how_))));
        } catch (const std::bad_alloc&) {
            return;  // the claim expires
        }
    }

    // Claims the key. If the key already has a value, returns this value instead.
    task<std::optional<std::string>> claim() {
        in_store_ = true;
        auto found = co_await p_.store.claim(how_.key, how_.claim, p_.how.lease).outcome();
        in_store_ = !found && found.error().status() == 504;  // without a reply, the claim may be stored
        if (!found) co_await failure(found.error());
        co_return *std::move(found);
    }
    task<> end(std::string value) {
        how_.value = std::move(value);
        in_store_ = true;
        const auto done = co_await carry_out(p_, how_).outcome();
        in_store_ = false;
        if (!done)
            log::warn(
                how_.value.empty() ? "idempotency: a key was not released" : "idempotency: a response was not stored",
                {"reason", base::reason_of(done.error())});
        else if (!*done) log::warn("idempotency: a request took longer than the lease of its key");
    }

private:
    const Parts& p_;
    ending how_;
    bool in_store_ = false;
};

// Returns the value to store, or an empty value if a repetition is to run the handler again.
std::string value_of(const response& res, std::string_view fingerprint, const idempotency_options& how) {
    if ((res.status() >= 500 && !how.server_errors) || is_temporary(res.status())) return {};
    return middleware::to_bytes(fingerprint, res, !res.streams() && res.body().size() <= how.largest_body);
}

template <class Parts>
task<response> protect(const Parts& p, std::string key, next_handler rest, request& req) {
    const std::string fingerprint = co_await take_fingerprint(req);
    claimed_key claimed(p, {.key = std::move(key), .claim = middleware::new_claim(fingerprint)});
    auto& counts = middleware::counts_of(middleware::idempotency_counts);
    if (const auto found = co_await claimed.claim()) {
        auto again = respond_again(*found, fingerprint);
        counts.add(again ? middleware::keys_replayed : middleware::keys_refused);
        co_return co_await std::move(again);
    }
    counts.add(middleware::keys_new);
    response res = co_await rest(req);
    co_await claimed.end(value_of(res, fingerprint, p.how));
    co_return res;
}

}  // namespace

std::string idempotency_caller(request& req) {
    if (const auto* who = req.find<identity>()) return "identity " + who->scheme + " " + who->subject;
    auto* browser = req.find<session>();
    if (browser && browser->has_id()) return "session " + browser->id();
    const std::string_view credentials = req.header("authorization");
    return credentials.empty() ? std::string() : "authorization " + std::string(credentials);
}

idempotency::idempotency(idempotency_store& store, const idempotency_options& how, detail::caller_function caller)
    : parts_(detail::own_parts(new parts(store, how, caller))) {
    if (how.lifetime < seconds(1)) throw std::invalid_argument("idempotency: `lifetime` must be at least 1 s");
    if (how.lease < seconds(1)) throw std::invalid_argument("idempotency: `lease` must be at least 1 s");
}

pending_response idempotency::operator()(request& req, response& out, next_handler rest) const {
    if (req.method() != method::post && req.method() != method::patch) return rest.run(req, out);
    const std::size_t lines = lines_of_key(req);
    if (lines == 0 && !parts_->how.required) return rest.run(req, out);
    if (lines == 0) return fail(400, "missing Idempotency-Key: send one key of 1 to 255 bytes");
    const auto key = codec::fields::read_idempotency_key(req.header(field_name));
    if (!key || lines > 1) return fail(400, "invalid Idempotency-Key: send one key of 1 to 255 bytes");
    const std::string caller = parts_->caller.find(parts_->caller.self, req);
    return protect(*parts_, key_in_store(caller, req, *key), rest, req);
}

}  // namespace apus
