// SPDX-License-Identifier: Apache-2.0
#include <apus/bearer_auth.hpp>

#include "middleware/authentication.hpp"

#include <apus/log.hpp>

namespace apus {

struct bearer_auth::parts {
    jwt::verifier verifier;
    bearer_auth_options how;
    detail::key_refresh refresh;

    parts(jwt::verifier by, bearer_auth_options o) : verifier(std::move(by)), how(std::move(o)) {}
    ~parts() {
        if (refresh.self) refresh.destroy(refresh.self);
    }

    pending_response refuse(response& out, const error& why) const;
    void recognize(request& req, const jwt::claims& said) const;
    task<response> run_after_refresh(next_handler rest, request& req, std::string_view token) const;
};

namespace {

// RFC 8693, 4.2: scopes are one string, separated by spaces. Some issuers send an array of strings instead.
std::vector<std::string> split(std::vector<std::string> texts) {
    if (texts.size() != 1) return texts;
    std::vector<std::string> words;
    std::string_view rest = texts[0];
    while (!rest.empty()) {
        const std::size_t space = rest.find(' ');
        if (space != 0) words.emplace_back(rest.substr(0, space));
        rest.remove_prefix(space == rest.npos ? rest.size() : space + 1);
    }
    return words;
}

// A refresh of the key set. The refresh is cancelled if the client whose request started it disconnects. After a
// cancellation, the next refresh waits for at most one second, so that clients that disconnect cannot prevent
// refreshes.
class refreshing {
public:
    refreshing(const jwt::verifier& of, duration interval) noexcept : of_(of), interval_(interval) {}
    refreshing(const refreshing&) = delete;
    refreshing& operator=(const refreshing&) = delete;
    ~refreshing() {
        if (!ended_) of_.refresh_was_stopped(interval_);
    }
    void end() noexcept { ended_ = true; }

private:
    const jwt::verifier& of_;
    duration interval_;
    bool ended_ = false;
};

}  // namespace

pending_response bearer_auth::parts::refuse(response& out, const error& why) const {
    if (why.status() != 401) return detail::refuse(why, out), pending_response();
    return middleware::challenge(
        out, 401, why.detail(),
        "Bearer realm=\"" + how.realm + "\", error=\"invalid_token\", error_description=\"" + why.detail() + '"');
}

void bearer_auth::parts::recognize(request& req, const jwt::claims& said) const {
    identity who;
    who.subject = said.subject();
    who.roles = said.texts(how.roles_claim);
    who.scopes = split(said.texts(how.scopes_claim));
    who.claims = said.json();
    who.scheme = "Bearer";
    req.set(std::move(who));
}

task<response> bearer_auth::parts::run_after_refresh(next_handler rest, request& req, std::string_view token) const {
    refreshing now(verifier, how.refresh_interval);
    task<> fetch = refresh.run(refresh.self);
    const result<void> done = co_await std::move(fetch).outcome();
    now.end();
    if (!done) log::warn("cannot refresh the keys for tokens", {"why", done.error().detail()});
    const result<jwt::claims> said = verifier.verify(token);
    response out;
    if (!said) {
        static_cast<void>(refuse(out, said.error()));
        co_return out;
    }
    recognize(req, *said);
    out = co_await rest(req);
    co_return out;
}

bearer_auth::bearer_auth(jwt::verifier by) : bearer_auth(std::move(by), bearer_auth_options()) {}

bearer_auth::bearer_auth(jwt::verifier by, bearer_auth_options how) : parts_(nullptr) {
    middleware::check_realm(how.realm, "bearer_auth");
    parts_ = new parts(std::move(by), std::move(how));
}

bearer_auth::~bearer_auth() { delete parts_; }

void bearer_auth::refresh_with(detail::key_refresh by) noexcept { parts_->refresh = by; }

security_note bearer_auth::security() const {
    const bearer_auth_options& how = parts_->how;
    return {.by = security_note::proof::bearer,
            .token_format = "JWT",
            .description = middleware::describe_realm(how.realm),
            .may_be_missing = how.may_be_missing,
            .one_is_enough = true};
}

pending_response bearer_auth::operator()(request& req, response& out, next_handler rest) const {
    using what = middleware::presented::what;
    const parts& p = *parts_;
    if (middleware::is_known(req)) return rest.run(req, out);
    const auto [state, token] = middleware::present_credentials(req, "bearer");
    const std::string realm = "Bearer realm=\"" + p.how.realm + '"';
    if (state == what::malformed)
        return middleware::challenge(out, 400, "malformed or duplicate Authorization header: send Bearer and a token",
                                     realm + ", error=\"invalid_request\"");
    if (state == what::nothing && p.how.may_be_missing) return rest.run(req, out);
    if (state == what::nothing) return middleware::challenge(out, 401, "send a bearer token", realm);
    const result<jwt::claims> said = p.verifier.verify(token);
    if (said) return p.recognize(req, *said), rest.run(req, out);
    if (p.refresh.self && p.verifier.should_refresh(token, p.how.refresh_interval))
        return p.run_after_refresh(rest, req, token);
    return p.refuse(out, said.error());
}

}  // namespace apus
