// SPDX-License-Identifier: Apache-2.0
// Settings of a program: from shop.toml, the environment (SHOP_PAGE_SIZE) and the command line (--page-size).
#include <apus/app.hpp>
#include <apus/config.hpp>
#include <apus/json.hpp>
#include <apus/rules.hpp>

namespace {

enum class level {
    basic,
    full
};

struct mail_settings {
    std::string host = "localhost";
    apus::integer<1, 65535> port{25};
    std::optional<apus::secret<std::string>> password;
    static constexpr apus::field_note fields[] = {{.field = "host", .description = "Server that sends e-mail"}};
};

struct settings {
    std::string database_url = "sqlite:shop.db";
    apus::integer<1, 1000> page_size{50};
    apus::secret<apus::text<8, 200>> session_key;
    std::vector<std::string> origins;
    level search = level::basic;
    bool debug = false;
    mail_settings mail;

    static constexpr apus::field_note fields[] = {
        {.field = "database_url", .description = "Database of the shop"},
        {.field = "page_size", .description = "Products on a page"},
        {.field = "session_key", .description = "Key of the sessions"},
    };
    static constexpr std::string_view reloadable[] = {"page_size", "search", "origins"};
};

struct page {
    std::int64_t size;
    level search;
    std::vector<std::string> origins;
};

apus::app make_app(const apus::config<settings>& config) {
    apus::app app;
    app.get("/page", [&config] {
        const settings& now = *config;  // SIGHUP may change it between requests
        return page{now.page_size, now.search, now.origins};
    });
    app.get("/mail", [host = config->mail.host] { return host + "\n"; });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    const apus::config<settings> config(argc, argv, {.file = "shop.toml"});
    return apus::serve(make_app, config);
}
