// SPDX-License-Identifier: Apache-2.0
#include "showcase/admin.hpp"

#include "showcase/server_timing.hpp"

#include <apus/secret.hpp>
#include <apus/security_note.hpp>

#include <memory>

namespace showcase {
namespace {

// A filter, which rejects a request with an error or lets it pass, and declares this in the API description.
class token_check {
public:
    explicit token_check(const std::string& token) : locked_(token.empty()), expected_("Bearer " + token) {}

    apus::result<void> operator()(apus::request& req) const {
        if (locked_) return apus::fail(403, "the server was started without ADMIN_TOKEN");
        if (!apus::constant_time_equal(req.header("authorization"), expected_))
            return apus::fail(401, "send a valid bearer token").header("www-authenticate", "Bearer");
        return {};
    }
    apus::security_note security() const {
        return {.by = apus::security_note::proof::bearer,
                .description = "The ADMIN_TOKEN of the server.",
                .forbids = locked_};
    }

private:
    bool locked_;
    std::string expected_;
};

}  // namespace

apus::app make_admin(const std::string& token) {
    // Each core has its own object: a plain number without a lock is enough.
    auto visits = std::make_shared<unsigned>(0);

    apus::app admin;
    admin.use(server_timing);
    admin.use(token_check(token));
    admin.get("/visits", [visits] { return "visit " + std::to_string(++*visits) + " to this core\n"; });
    return admin;
}

}  // namespace showcase
