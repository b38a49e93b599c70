// SPDX-License-Identifier: Apache-2.0
#include <apus/security_headers.hpp>

#include <apus/client_info.hpp>

#include "crypto/base64.hpp"
#include "crypto/random.hpp"
#include "middleware/nonce.hpp"

namespace apus {
namespace {

using middleware::nonce_of_answer;

}  // namespace

struct security_headers::parts {
    content_security_policy policy;
    std::string_view policy_name;
    response fixed;     // all fields except Content-Security-Policy and Strict-Transport-Security
    std::string plain;  // Content-Security-Policy of responses without a nonce; empty: no such field
    std::string hsts;
    std::string all_plain;   // all fields of a response without a nonce over http
    std::string all_secure;  // all fields of a response without a nonce over https

    void put(request&, response&) const;
};

std::string_view csp_nonce(request& req) {
    auto* nonce = req.find<nonce_of_answer>();
    if (!nonce) nonce = &req.set(nonce_of_answer{crypto::base64url(crypto::random_bytes(16))});
    return nonce->text;
}

security_headers::security_headers() : security_headers(security_headers_options()) {}

security_headers::security_headers(security_headers_options how) : parts_(detail::own_parts(new parts)) {
    parts& p = *parts_;
    p.policy = std::move(how.policy);
    p.policy_name = how.report_only ? "content-security-policy-report-only" : "content-security-policy";
    p.plain = p.policy.text({});
    if (how.hsts > duration()) {
        p.hsts = "max-age=" + std::to_string(how.hsts.milliseconds() / 1000);
        if (how.hsts_subdomains) p.hsts += "; includeSubDomains";
    }
    const field_view fields[] = {{"x-content-type-options", how.content_type_options},
                                 {"x-frame-options", how.frame_options},
                                 {"referrer-policy", how.referrer_policy},
                                 {"permissions-policy", how.permissions_policy},
                                 {"cross-origin-opener-policy", how.opener_policy},
                                 {"cross-origin-resource-policy", how.resource_policy},
                                 {"cross-origin-embedder-policy", how.embedder_policy}};
    for (const auto& f : fields)
        if (!f.value.empty()) p.fixed.header(f.name, f.value);
    response all;
    all.lines(p.fixed.field_lines());
    if (!p.plain.empty()) all.header(p.policy_name, p.plain);
    p.all_plain = all.field_lines();
    if (!p.hsts.empty()) all.header("strict-transport-security", p.hsts);
    p.all_secure = all.field_lines();
}

pending_response security_headers::operator()(request& req, response& out, next_handler rest) const {
    return rest.run(req, out, [this, &req](response& res) { parts_->put(req, res); });
}

void security_headers::parts::put(request& req, response& res) const {
    const parts& p = *this;
    const auto* nonce = req.find<nonce_of_answer>();
    const auto* client = req.find<client_info>();
    const bool secure = client && client->scheme == "https";  // RFC 6797, 7.2: HSTS is never sent over http
    if (res.field_lines().empty() && !nonce) return void(res.lines(secure ? p.all_secure : p.all_plain));
    res.lines_not_there(p.fixed.field_lines());
    if (!p.hsts.empty() && secure && res.header("strict-transport-security").empty())
        res.header("strict-transport-security", p.hsts);
    if (p.plain.empty() || !res.header(p.policy_name).empty()) return;
    res.header(p.policy_name, nonce ? p.policy.text(nonce->text) : p.plain);
}

}  // namespace apus
