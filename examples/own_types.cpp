// SPDX-License-Identifier: Apache-2.0
// A program's own types in JSON, queries, forms, paths and rows; secrets; custom messages.
#include <apus/app.hpp>
#include <apus/form.hpp>
#include <apus/header.hpp>
#include <apus/json.hpp>
#include <apus/openapi.hpp>
#include <apus/query.hpp>
#include <apus/representation.hpp>
#include <apus/rules.hpp>
#include <apus/secret.hpp>
#include <apus/sql.hpp>

#include <array>
#include <charconv>
#include <chrono>

class money {
public:
    money() = default;
    explicit money(std::int64_t cents) : cents_(cents) {}
    std::int64_t cents() const { return cents_; }

private:
    std::int64_t cents_ = 0;
};

template <>
struct apus::representation<money> {
    using type = std::string;
    static std::string to(const money& m) {
        const std::string cents = std::to_string(100 + m.cents() % 100);
        return std::to_string(m.cents() / 100) + "." + cents.substr(1) + " EUR";
    }
    static std::optional<money> from(std::string_view text) {
        if (text.size() < 8 || text.size() > 16 || !text.ends_with(" EUR") || text[text.size() - 7] != '.') return {};
        const std::string digits = std::string(text.substr(0, text.size() - 7)).append(text.substr(text.size() - 6, 2));
        std::int64_t cents = 0;
        const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), cents);
        if (status != std::errc() || end != digits.data() + digits.size() || cents < 0) return {};
        return money(cents);
    }
    static constexpr std::string_view expected = "an amount such as \"12.50 EUR\"";
};

enum class priority {
    low = -1'000,
    high = 1'000'000
};

template <>
struct apus::representation<priority> {
    static constexpr apus::named_value<priority> names[] = {{"low", priority::low}, {"very-high", priority::high}};
};

struct plan {
    std::string name;
    money price;
    std::chrono::minutes trial{30};
    priority support = priority::low;
    std::array<int, 2> size{1, 1};
};

struct sign_up {
    apus::email email;
    apus::secret<apus::text<8, 200>> password;
    apus::pattern<"[A-Z]{3}-\\d{4}"> code;

    static constexpr apus::field_note fields[] = {
        {.field = "code", .message = "Enter the code of your invitation, such as ABC-1234."},
    };
};

struct search {
    money most;
    std::optional<std::chrono::seconds> within;
};

struct reset {
    apus::secret<apus::uuid> token;
};

struct kept_account {
    std::string email;
    apus::secret<std::string> password;
};

apus::app make_app() {
    const apus::sql::database db("sqlite::memory:");
    apus::app app;
    app.mount(apus::openapi_document({.title = "Plans", .version = "1.0"}));
    app.put("/plans", [](apus::json<plan> in) { return *std::move(in); });
    app.get("/plans", [](const apus::query<search>& find) { return plan{.name = "small", .price = find->most}; });
    app.get("/prices/{price}/{support}",
            [](money price, priority support) { return plan{.name = "one", .price = price, .support = support}; });
    app.post("/accounts", [db](apus::json<sign_up> in) -> apus::task<kept_account> {
        co_await db.run("create table if not exists account (email text primary key, password text not null)");
        co_await db.run("insert into account values ($1, $2)", in->email, in->password);  // hash it: docs/passwords.md
        co_return co_await db.one<kept_account>("select email, password from account where email = $1", in->email);
    });
    app.post("/sign-up", [](apus::form<sign_up> in) { return "welcome, " + *in->email + "\n"; });
    app.get("/reset", [](const apus::query<reset>&) { return "choose a password\n"; });
    app.get("/reset/{token}", [](apus::secret<apus::uuid>) { return "choose a password\n"; });  // NOLINT
    app.get("/keys", [](const apus::header<"x-key", apus::secret<apus::text<20, 40>>>& key,
                        const apus::cookie<"pin", std::optional<apus::secret<apus::integer<1'000, 9'999>>>>& pin) {
        return key->reveal()->starts_with("test-") && *pin ? "both\n" : "one\n";
    });
    return app;
}

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
