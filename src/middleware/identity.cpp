// SPDX-License-Identifier: Apache-2.0
#include <apus/identity.hpp>

#include "middleware/authentication.hpp"

#include <apus/log.hpp>

#include <algorithm>

namespace apus {
namespace {

bool among(const std::vector<std::string>& all, std::string_view one) noexcept {
    return std::find(all.begin(), all.end(), one) != all.end();
}

pending_response refuse_unknown(const char* what, request& req, response& out) {
    log::error("require_role or require_scope must be inside authentication middleware", {"check", what},
               {"path", req.path()});
    detail::refuse(error(500, std::string(what) + " must be inside authentication middleware"), out);
    return {};
}

}  // namespace

bool identity::has_role(std::string_view role) const noexcept { return among(roles, role); }
bool identity::has_scope(std::string_view scope) const noexcept { return among(scopes, scope); }

security_note require_role::security() const { return {.roles = any_of_}; }
security_note require_scope::security() const { return {.scopes = all_of_}; }

pending_response require_role::operator()(request& req, response& out, next_handler rest) const {
    const identity* const who = req.find<identity>();
    if (!who) return refuse_unknown("require_role", req, out);
    for (const std::string& role : any_of_)
        if (who->has_role(role)) return rest.run(req, out);
    return middleware::challenge(out, 403, "the credentials do not have the required role", {});
}

pending_response require_scope::operator()(request& req, response& out, next_handler rest) const {
    const identity* const who = req.find<identity>();
    if (!who) return refuse_unknown("require_scope", req, out);
    const auto missing = [who](const std::string& scope) { return !who->has_scope(scope); };
    if (std::none_of(all_of_.begin(), all_of_.end(), missing)) return rest.run(req, out);
    std::string challenge;
    if (who->scheme == "Bearer") {
        challenge = "Bearer error=\"insufficient_scope\", scope=\"";
        for (const std::string& scope : all_of_) (challenge += scope) += ' ';
        challenge.back() = '"';
    }
    return middleware::challenge(out, 403, "the credentials do not have the required scope", challenge);
}

}  // namespace apus
