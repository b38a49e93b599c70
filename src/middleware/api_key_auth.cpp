// SPDX-License-Identifier: Apache-2.0
#include <apus/api_key_auth.hpp>

#include "base/ascii.hpp"
#include "middleware/api_key.hpp"
#include "middleware/authentication.hpp"

#include <apus/secret.hpp>

#include <stdexcept>

namespace apus {

struct api_key_auth::parts {
    detail::api_key_lookup lookup;
    std::string field;
    bool may_be_missing;
    std::string challenge;

    parts(detail::api_key_lookup l, const api_key_auth_options& how)
        : lookup(l),
          field(how.header),
          may_be_missing(how.may_be_missing),
          challenge("ApiKey header=\"" + how.header + '"') {}
    ~parts() { lookup.destroy(lookup.self); }

    pending_response refuse(response& out) const {
        return middleware::challenge(out, 401, "send a valid API key", challenge);
    }
    task<response> run(next_handler rest, request& req, std::string key) const;
};

namespace {

void check_field(std::string_view name) {
    bool fine = !name.empty();
    for (const char c : name) fine = fine && base::is(c, base::token_byte);
    if (!fine) throw std::invalid_argument("api_key_auth: the header name must be a token");
}

}  // namespace

task<response> api_key_auth::parts::run(next_handler rest, request& req, std::string key) const {
    std::optional<stored_api_key> stored =
        co_await lookup.run(lookup.self, std::string(middleware::id_of_api_key(key)));
    const std::string digest = middleware::digest_of_api_key(key);
    response out;
    if (!stored || !constant_time_equal(stored->digest, digest)) {
        static_cast<void>(refuse(out));
        co_return out;
    }
    stored->owner.scheme = "ApiKey";
    req.set(std::move(stored->owner));
    out = co_await rest(req);
    co_return out;
}

api_key_auth::api_key_auth(detail::api_key_lookup lookup, const api_key_auth_options& how) : parts_(nullptr) {
    try {
        check_field(how.header);
        parts_ = new parts(lookup, how);
    } catch (...) {
        lookup.destroy(lookup.self);
        throw;
    }
}

api_key_auth::~api_key_auth() { delete parts_; }

security_note api_key_auth::security() const {
    return {.by = security_note::proof::header,
            .name = parts_->field,
            .may_be_missing = parts_->may_be_missing,
            .one_is_enough = true};
}

pending_response api_key_auth::operator()(request& req, response& out, next_handler rest) const {
    const parts& p = *parts_;
    if (middleware::is_known(req)) return rest.run(req, out);
    const std::string_view key = req.header(p.field);
    if (key.empty() && p.may_be_missing) return rest.run(req, out);
    if (middleware::id_of_api_key(key).empty()) return p.refuse(out);
    return p.run(rest, req, std::string(key));
}

}  // namespace apus
