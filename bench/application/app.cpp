// SPDX-License-Identifier: Apache-2.0
// An application of typical size in one file: 15 routes, 10 structs, sessions, uploads, events, OpenAPI.
// tests/compile/application_test.py measures the compile time, for which developers wait after each edit.
#include "app.hpp"

#include <apus/csrf.hpp>
#include <apus/events.hpp>
#include <apus/form.hpp>
#include <apus/json.hpp>
#include <apus/log.hpp>
#include <apus/openapi.hpp>
#include <apus/query.hpp>
#include <apus/rate_limit.hpp>
#include <apus/redirect.hpp>
#include <apus/request_id.hpp>
#include <apus/rules.hpp>
#include <apus/sessions.hpp>
#include <apus/sleep.hpp>
#include <apus/uploaded_file.hpp>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

namespace links {
namespace {

struct sign_up {
    apus::text<1, 40> name;
    apus::email email;
    apus::text<8, 200> password;
};
struct credentials {
    apus::email email;
    std::string password;
};
struct profile {
    std::int64_t id;
    std::string name, email;
    std::int64_t links;
};
struct new_link {
    apus::url target;
    std::optional<apus::pattern<"[a-z0-9]{3,20}">> code;
    apus::text<1, 100> title{"untitled"};
    visibility seen_by = visibility::open;
    apus::list<apus::text<1, 20>, 0, 8> tags{};
};
struct changes {
    std::optional<apus::url> target;
    std::optional<apus::text<1, 100>> title;
    std::optional<visibility> seen_by;
};
struct search {
    std::optional<std::string> q;
    apus::integer<1, 100> limit{20};
    std::vector<std::string> tag;
    std::optional<visibility> seen_by;
};
struct found_links {
    std::vector<short_link> links;
    std::int64_t total = 0;
    bool more = false;
};
struct statistics {
    std::int64_t visits = 0, links = 0;
    std::map<std::string, std::int64_t> by_tag;
};
struct avatar {
    apus::text<1, 60> caption;
    apus::uploaded_file image;

    static constexpr apus::form_limits limits{.parts = 4, .file_bytes = 2'000'000};
};
struct saved_avatar {
    std::string file, caption, media_type;
    std::uint64_t bytes;
};

std::string new_code(std::int64_t after) {
    std::string made;
    for (std::uint64_t left = static_cast<std::uint64_t>(after) * 2'654'435'761U + 46'656; left > 0; left /= 36)
        made += "0123456789abcdefghijklmnopqrstuvwxyz"[left % 36];
    return made;
}

apus::result<std::int64_t> signed_in(const apus::session& who) {
    if (const auto id = who.find<std::int64_t>("account")) return *id;
    return apus::fail(401, "sign in first");
}

profile profile_of(const account& who, const store& all) {
    return {who.id, who.name, who.email, static_cast<std::int64_t>(all.of(who.id).size())};
}

bool fits(const short_link& one, const search& wanted) {
    if (wanted.seen_by && one.seen_by != *wanted.seen_by) return false;
    if (wanted.q && one.title.find(*wanted.q) == std::string::npos) return false;
    return std::ranges::all_of(
        wanted.tag, [&](const std::string& tag) { return std::ranges::find(one.tags, tag) != one.tags.end(); });
}

void add_accounts(apus::app& app, store& all, const apus::password_hasher& passwords) {
    app.post("/accounts",
             [&all, passwords](apus::session& who, apus::json<sign_up> sent) -> apus::task<apus::created<profile>> {
                 std::string kept = co_await passwords.hash(*sent->password);
                 const auto made = all.add_account(*sent->name, *sent->email, std::move(kept));
                 if (!made) co_await apus::fail(409, "there is an account with this address");
                 who.set("account", made->id);
                 apus::log::info("account made", {"id", made->id});
                 co_return apus::created{profile_of(*made, all)};
             })
        .summary("Makes an account")
        .tag("accounts");
    app.post("/login",
             [&all, passwords](apus::session& who, apus::json<credentials> sent) -> apus::task<profile> {
                 const auto found = all.find_account(*sent->email);
                 const auto verdict = co_await passwords.verify(sent->password, found ? found->kept_password : "");
                 if (!verdict.correct) co_await apus::fail(401, "wrong address or password");
                 who.renew();
                 who.set("account", found->id);
                 co_return profile_of(*found, all);
             })
        .summary("Signs in")
        .tag("accounts");
    app.post("/logout", [](apus::session& who) { return who.destroy(), apus::no_content(); }).tag("accounts");
    app.get("/me", [&all](const apus::session& who) -> apus::result<profile> {
        const auto id = signed_in(who);
        if (!id) return std::unexpected(id.error());
        const auto found = all.find_account(*id);
        if (!found) return apus::fail(401, "the account is gone");
        return profile_of(*found, all);
    });
    app.post("/me/avatar", [](apus::session& who, apus::form<avatar> in) -> apus::task<saved_avatar> {
        const std::int64_t id = co_await signed_in(who);
        const std::string name = "avatar-" + std::to_string(id) + "-" + in->image.base_name();
        const char* folder = std::getenv("AVATARS");
        co_await in->image.save_to((folder ? folder : "/var/tmp/") + name, apus::existing_file::replace);
        co_return saved_avatar{name, *in->caption, std::string(in->image.media_type()), in->image.size()};
    });
}

void add_links(apus::app& app, store& all) {
    app.post("/links",
             [&all](const apus::session& who, apus::json<new_link> in) -> apus::result<apus::created<short_link>> {
                 const auto owner = signed_in(who);
                 if (!owner) return std::unexpected(owner.error());
                 short_link made{new_code(all.visits() + *owner), in->target, in->title, *owner, in->seen_by, {}, 0};
                 if (in->code) made.code = **in->code;
                 for (const auto& tag : in->tags) made.tags.push_back(tag);
                 if (!all.add(made)) return apus::fail(409, "this code is taken");
                 return apus::created{std::move(made)};
             })
        .summary("Shortens a link")
        .tag("links");
    app.get("/links",
            [&all](const apus::session& who, apus::query<search> wanted) -> apus::result<found_links> {
                const auto owner = signed_in(who);
                if (!owner) return std::unexpected(owner.error());
                found_links found;
                for (short_link& one : all.of(*owner)) {
                    if (!fits(one, *wanted)) continue;
                    ++found.total;
                    if (std::cmp_less(found.links.size(), *wanted->limit)) found.links.push_back(std::move(one));
                }
                found.more = std::cmp_less(found.links.size(), found.total);
                return found;
            })
        .summary("Finds links")
        .tag("links");
    app.get("/links/{code}", [&all](std::string code) { return all.find(code); }).tag("links");
    app.patch("/links/{code}",
              [&all](const apus::session& who, std::string code, apus::json<changes> in) -> apus::result<short_link> {
                  const auto owner = signed_in(who);
                  if (!owner) return std::unexpected(owner.error());
                  auto found = all.find(code);
                  if (!found) return apus::fail(404, "no link has this code");
                  if (in->target) found->target = **in->target;
                  if (in->title) found->title = **in->title;
                  if (in->seen_by) found->seen_by = *in->seen_by;
                  found->owner = *owner;
                  if (!all.change(*found)) return apus::fail(403, "the link is of another account");
                  return *std::move(found);
              })
        .tag("links");
    app.del("/links/{code}", [&all](const apus::session& who, std::string code) -> apus::result<void> {
        const auto owner = signed_in(who);
        if (!owner) return std::unexpected(owner.error());
        if (!all.remove(code, *owner)) return apus::fail(404, "no link of yours has this code");
        return {};
    });
    app.get("/r/{code}", [&all](std::string code) -> apus::result<apus::response> {
        const auto target = all.visit(code);
        if (!target) return apus::fail(404, "no link has this code");
        return apus::redirect(302, *target);
    });
}

void add_statistics(apus::app& app, store& all) {
    app.get("/statistics", [&all](const apus::session& who) -> apus::result<statistics> {
        const auto owner = signed_in(who);
        if (!owner) return std::unexpected(owner.error());
        statistics made{.visits = all.visits(), .links = 0, .by_tag = {}};
        for (const short_link& one : all.of(*owner)) {
            ++made.links;
            for (const std::string& tag : one.tags) made.by_tag[tag] += one.visits;
        }
        return made;
    });
    app.get("/statistics/live", [&all](apus::request&) {
        return apus::events([&all](apus::event_writer& to) -> apus::task<> {
            std::int64_t last = -1;
            while (!to.stopping()) {
                const std::int64_t now = all.visits();
                if (now != last) co_await to.send(apus::to_json(statistics{.visits = now, .links = 0, .by_tag = {}}));
                last = now;
                co_await apus::sleep_for(apus::milliseconds(200));
            }
        });
    });
    app.get("/health", [] { return "ok\n"; }).hidden();
    app.get("/", [] { return apus::redirect(303, "/docs"); }).hidden();
}

}  // namespace

apus::app make_app(store& all, const apus::password_hasher& passwords) {
    const char* secret = std::getenv("SESSION_SECRET");
    apus::app app;
    app.use(apus::request_ids());
    app.use(apus::sessions({secret ? secret : "a-secret-of-at-least-32-characters"}, {.secure = false}));
    app.use(apus::csrf());
    app.use(apus::rate_limit({.requests = 10'000}, [](apus::request& req) { return req.header("x-client"); }));
    app.mount(apus::openapi_document({.title = "Links", .version = "1.0.0"}));
    app.mount(apus::openapi_page());
    add_accounts(app, all, passwords);
    add_links(app, all);
    add_statistics(app, all);
    return app;
}

}  // namespace links
