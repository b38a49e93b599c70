// SPDX-License-Identifier: Apache-2.0
#include <apus/cors.hpp>

#include "base/ascii.hpp"
#include "codec/fields/list.hpp"
#include "codec/http1/field_rules.hpp"
#include "crypto/random.hpp"
#include "http/list_fields.hpp"
#include "http/origin.hpp"

#include <apus/detail/chain.hpp>

#include <algorithm>
#include <stdexcept>

namespace apus {
namespace {

bool any(const std::vector<std::string>& list) noexcept { return list.size() == 1 && list.front() == "*"; }

std::string joined(const std::vector<std::string>& list) {
    std::string text;
    for (const auto& item : list) text.append(text.empty() ? "" : ", ").append(item);
    return text;
}

void check_tokens(const std::vector<std::string>& list, bool credentials, const char* what) {
    for (const auto& item : list) {
        // With credentials, browsers treat "*" as a method or field with that literal name (Fetch, 3.2.5).
        if (item == "*" && credentials)
            throw std::invalid_argument(std::string("cors: with credentials, list the ") + what + " instead of \"*\"");
        if (!codec::http1::is_token(item) || (item == "*" && list.size() > 1))
            throw std::invalid_argument(std::string("cors: invalid entry \"") + item + "\" in the list of " + what);
    }
}

bool contains(const std::vector<std::string>& list, std::string_view word) noexcept {
    return std::ranges::find(list, word) != list.end();
}

}  // namespace

struct cors::parts {
    cors_options how;
    predicate also;
    bool any_origin = false;
    std::string methods, headers, exposed, max_age;

    parts(cors_options o, predicate p) : how(std::move(o)), also(p), any_origin(any(how.origins)) {}
    parts(const parts&) = delete;
    parts& operator=(const parts&) = delete;
    ~parts() {
        if (also.self) also.destroy(also.self);
    }

    void check() const;
    bool allows(std::string_view origin) const;
    bool allows_field(std::string_view name) const noexcept;
    std::string refusal(request&, std::string_view origin) const;
    void put_origin(response&, std::string_view origin) const;
    bool answer_preflight(request&, response&) const;  // returns false if the request is not a preflight
    void put_fields(request&, response&) const;
};

void cors::parts::check() const {
    for (const auto& origin : how.origins) {
        if (origin == "*" && !any_origin) throw std::invalid_argument("cors: \"*\" must be the only origin");
        if (origin == "null")
            throw std::invalid_argument(
                "cors: \"null\" is the origin of sandboxed frames of any site: list the allowed origins");
        if (origin != "*" && !http::is_origin(origin))
            throw std::invalid_argument("cors: \"" + origin +
                                        "\" is not an origin: expected a scheme, a lower-case host, and a port unless "
                                        "it is the scheme's default, as in https://app.example");
    }
    if (any_origin && how.credentials)
        throw std::invalid_argument(
            "cors: \"*\" with credentials would let every site read the data of users: list the allowed origins");
    if (any_origin && also.self) throw std::invalid_argument("cors: \"*\" already allows every origin");
    if (how.origins.empty() && !also.self) throw std::invalid_argument("cors: the list of origins is empty");
    check_tokens(how.methods, how.credentials, "methods");
    check_tokens(how.headers, how.credentials, "request headers");
    check_tokens(how.expose, how.credentials, "exposed headers");
    if (!also.self || !how.credentials) return;
    // A predicate that accepts the origin "null" is likely to accept every origin.
    if (also.allows(also.self, "null"))
        throw std::invalid_argument(
            "cors: with credentials, the predicate must reject the origin null, which any page can have");
    if (also.allows(also.self, "https://" + crypto::random_hex(16) + ".invalid"))
        throw std::invalid_argument("cors: with credentials, the predicate must reject unknown origins");
}

bool cors::parts::allows(std::string_view origin) const {
    return any_origin || contains(how.origins, origin) || (also.self && also.allows(also.self, origin));
}

bool cors::parts::allows_field(std::string_view name) const noexcept {
    if (any(how.headers) && !base::same_word(name, "authorization")) return true;
    return std::ranges::any_of(how.headers,
                               [name](const std::string& h) { return base::equal_ignoring_case(h, name); });
}

// Returns why a preflight is rejected, or an empty string.
std::string cors::parts::refusal(request& req, std::string_view origin) const {
    if (!allows(origin)) return "the origin " + std::string(origin) + " is not allowed";
    const std::string_view verb = req.header("access-control-request-method");
    // The Fetch standard always allows GET, HEAD and POST.
    if (!any(how.methods) && !contains(how.methods, verb) && verb != "GET" && verb != "HEAD" && verb != "POST")
        return "the method " + std::string(verb) + " is not allowed for cross-origin requests";
    const std::string named = http::whole_field(req, "access-control-request-headers");
    std::string_view fields = named;
    while (!fields.empty()) {
        const std::string_view name = codec::fields::next_of_list(fields);
        if (!name.empty() && !allows_field(name))
            return "the field " + std::string(name) + " is not allowed for cross-origin requests";
    }
    return {};
}

void cors::parts::put_origin(response& res, std::string_view origin) const {
    res.header("access-control-allow-origin", any_origin ? "*" : origin);
    if (how.credentials) res.header("access-control-allow-credentials", "true");
}

cors::cors(cors_options how) : cors(std::move(how), predicate()) {}

cors::cors(cors_options how, predicate also) : parts_(detail::own_parts(new parts(std::move(how), also))) {
    parts_->check();
    parts_->methods = joined(parts_->how.methods);
    parts_->headers = joined(parts_->how.headers);
    parts_->exposed = joined(parts_->how.expose);
    parts_->max_age = std::to_string(parts_->how.max_age.milliseconds() / 1000);
}

bool cors::parts::answer_preflight(request& req, response& res) const {
    if (req.method() != method::options) return false;
    const std::string_view origin = req.header("origin");
    if (origin.empty() || req.header("access-control-request-method").empty()) return false;
    const parts& p = *this;
    if (const std::string why = p.refusal(req, origin); !why.empty()) {
        detail::refuse(error(403, why), res);
    } else {
        res.status(204);
        p.put_origin(res, origin);
        if (!p.methods.empty()) res.header("access-control-allow-methods", p.methods);
        if (!p.headers.empty()) res.header("access-control-allow-headers", p.headers);
        res.header("access-control-max-age", p.max_age);
        if (p.how.private_network && req.header("access-control-request-private-network") == "true")
            res.header("access-control-allow-private-network", "true");
    }
    res.header("vary",
               "Origin, Access-Control-Request-Method, Access-Control-Request-Headers, "
               "Access-Control-Request-Private-Network");
    return true;
}

void cors::parts::put_fields(request& req, response& res) const {
    const parts& p = *this;
    if (!res.header("access-control-allow-origin").empty()) return;
    if (!p.any_origin) http::vary(res, "Origin");
    const std::string_view origin = req.header("origin");
    // "*" is also sent if the request has no Origin field, since a cache may reuse the response for a request with
    // Origin.
    if (!p.any_origin && (origin.empty() || !p.allows(origin))) return;
    p.put_origin(res, origin);
    if (!p.exposed.empty()) res.header("access-control-expose-headers", p.exposed);
}

pending_response cors::operator()(request& req, response& out, next_handler rest) const {
    if (parts_->answer_preflight(req, out)) return {};
    return rest.run(req, out, [this, &req](response& res) { parts_->put_fields(req, res); });
}

}  // namespace apus
