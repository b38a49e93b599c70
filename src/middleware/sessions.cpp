// SPDX-License-Identifier: Apache-2.0
#include <apus/sessions.hpp>

#include "middleware/session_cookies.hpp"

namespace apus {
namespace {

using middleware::session_cookies;

task<response> with_store(const session_cookies& keeper, next_handler rest, request& req) {
    const std::string_view id = keeper.id_in(req);
    if (!id.empty()) {
        const std::string key = session_cookies::key_of(id);
        const std::optional<std::string> bytes = co_await keeper.store()->load(key);
        if (bytes) req.set(keeper.from_bytes(*bytes, id));
    }
    if (!req.find<session>()) req.set(keeper.nothing());
    response res = co_await rest(req);
    session_cookies::verdict todo = keeper.commit(*req.find<session>(), res);
    if (!todo.remove.empty()) {
        const std::string key = session_cookies::key_of(todo.remove);
        co_await keeper.store()->remove(key);
    }
    if (!todo.id.empty()) {
        const std::string key = session_cookies::key_of(todo.id);
        if (todo.id == id) {
            // While this request was running, another request may have ended the session or changed its id.
            const std::optional<std::string> still = co_await keeper.store()->load(key);
            if (!still) co_return res;
        }
        co_await keeper.store()->save(key, std::move(todo.save), keeper.lifetime());
    }
    co_return res;
}

}  // namespace

sessions::sessions(const std::vector<std::string>& secrets, sessions_options how)
    : keeper_(detail::own_parts(new session_cookies(std::move(how), nullptr, &secrets))) {}

sessions::sessions(session_store& store, sessions_options how)
    : keeper_(detail::own_parts(new session_cookies(std::move(how), &store, nullptr))) {}

pending_response sessions::operator()(request& req, response& out, next_handler rest) const {
    if (keeper_->store()) return with_store(*keeper_, rest, req);
    req.set(keeper_->from_cookie(req));
    return rest.run(req, out, [this, &req](response& res) {
        if (auto* s = req.find<session>()) keeper_->commit(*s, res);
    });
}

}  // namespace apus
