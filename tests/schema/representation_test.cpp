// SPDX-License-Identifier: Apache-2.0
#include <apus/form.hpp>
#include <apus/json.hpp>
#include <apus/openapi.hpp>
#include <apus/query.hpp>
#include <apus/representation.hpp>
#include <apus/rules.hpp>
#include <apus/secret.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <cstring>
#include <map>
#include <new>

namespace {

class metres {
public:
    metres() = default;
    explicit metres(double n) : n_(n) {}
    double count() const { return n_; }

private:
    double n_ = 0;
};

struct pair_of_numbers {
    int x, y;
};
struct grid_point {
    int at = 0;
};

enum class distant : std::int64_t {
    lowest = INT64_MIN,
    same = 5'000'000,
    highest = INT64_MAX
};

template <class T>
struct held_one {
    T v;
};

struct with_defaults {
    metres far{2};
    metres zero{0};
    std::chrono::seconds wait{0};
    distant where = distant::same;
};

struct with_message {
    apus::text<2, 3> name;
    std::vector<apus::integer<1, 5>> marks;
    int plain;

    static constexpr apus::field_note fields[] = {
        {.field = "name", .message = "Choose a name of 2 or 3 letters."},
        {.field = "marks", .message = "Marks go from 1 to 5."},
    };
};

template <class T>
std::string read_one(const std::string& value) {
    const auto read = apus::from_json<held_one<T>>("{\"v\":" + value + "}");
    return read ? apus::to_json(*read) : read.error().detail();
}

}  // namespace

template <>
struct apus::representation<metres> {
    using type = double;
    static double to(const metres& m) { return m.count(); }
    static std::optional<metres> from(double n) { return n < 0 ? std::nullopt : std::optional(metres(n)); }
    static constexpr std::string_view expected = "a length in metres";
};

template <>
struct apus::representation<grid_point> {
    using type = pair_of_numbers;
    static type to(const grid_point& p) { return {p.at % 10, p.at / 10}; }
    static apus::result<grid_point> from(const type& p) {
        if (p.x < 0 || p.x > 9) return apus::fail(422, "x is one digit");
        return grid_point{p.x + 10 * p.y};
    }
};

template <>
struct apus::representation<distant> {
    static constexpr apus::named_value<distant> names[] = {
        {"lowest", distant::lowest}, {"the-same", distant::same}, {"alias", distant::same}, {"top", distant::highest}};
};

TEST_CASE("types of a program are read and printed by their representation") {
    CHECK(read_one<metres>("2.5") == R"({"v":2.5})");
    CHECK(read_one<metres>("-1") == "/v: found -1, expected a length in metres");
    CHECK(read_one<metres>("\"far\"") == "/v: found \"far\", expected a length in metres");
    CHECK(read_one<std::vector<metres>>("[1,-2]") == "/v/1: found -2, expected a length in metres");
    CHECK(read_one<std::optional<metres>>("null") == R"({"v":null})");
    CHECK(read_one<std::map<std::string, metres>>(R"({"a":1})") == R"({"v":{"a":1}})");
    CHECK(read_one<grid_point>(R"({"x":1,"y":2})") == R"({"v":{"x":1,"y":2}})");
    CHECK(read_one<grid_point>(R"({"x":"1","y":2})") ==
          "/v/x: found \"1\", expected an integer from -2147483648 to 2147483647");
    CHECK(read_one<grid_point>(R"({"x":12,"y":2})") == "/v: found an object, expected an object");
    CHECK(!apus::from_json<held_one<metres>>("{\"v\":12x}"));
    CHECK(!apus::from_json<held_one<metres>>("{\"v\":"));
    CHECK(apus::to_json(std::vector<metres>{metres(1), metres(2)}) == "[1,2]");
}

TEST_CASE("enumerations of any range have the names that the program gives") {
    CHECK(read_one<distant>("\"lowest\"") == R"({"v":"lowest"})");
    CHECK(read_one<distant>("\"alias\"") == R"({"v":"the-same"})");
    CHECK(read_one<distant>("\"highest\"") ==
          R"(/v: found "highest", expected "lowest", "the-same", "alias" or "top")");
}

TEST_CASE("durations are counts of their unit, arrays have their length") {
    CHECK(read_one<std::chrono::seconds>("-90") == R"({"v":-90})");
    CHECK(read_one<std::chrono::minutes>("1.5") == "/v: found 1.5, expected a whole number of minutes");
    CHECK(read_one<std::chrono::milliseconds>("1e30") == "/v: found 1e30, expected a whole number of milliseconds");
    CHECK(read_one<std::chrono::duration<double>>("1.5") == R"({"v":1.5})");
    CHECK(read_one<std::array<int, 2>>("[1,2]") == R"({"v":[1,2]})");
    CHECK(read_one<std::array<int, 2>>("[1]") == "/v: found 1 value, expected a list of 2 values");
    CHECK(read_one<std::array<int, 2>>("[1,2,3]") == "/v: found 3 values, expected a list of 2 values");
}

TEST_CASE("a field of such a type may be omitted if its initializer differs from that of the type") {
    CHECK(apus::from_json<with_defaults>("{}").error().detail() == "/zero: found nothing, expected a length in metres");
    CHECK(apus::to_json(*apus::from_json<with_defaults>(R"({"zero":1})")) ==
          R"({"far":2,"zero":1,"wait":0,"where":"the-same"})");
}

TEST_CASE("queries, forms and captures may have represented types") {
    apus::app app;
    struct flat {
        metres far;
        std::array<int, 2> pair;
        std::optional<std::chrono::seconds> wait;
        std::vector<distant> places;
    };
    app.get("/q", [](apus::query<flat> in) { return *std::move(in); });
    app.post("/f", [](apus::form<flat> in) { return *std::move(in); });
    app.get("/p/{a}/{b}/{c}", [](metres a, distant b, std::chrono::seconds c) {
        return flat{.far = a, .pair = {1, 2}, .wait = c, .places = {b}};
    });
    app.get("/n/{a}/{b}", [](const apus::path<"b", distant>& b, const apus::path<"a", apus::text<2, 3>>& a) {
        return **a + (*b == distant::highest ? "+" : "-");
    });
    apus::test::client client(std::move(app));
    CHECK(client.get("/q?far=2&pair=1&pair=2&places=top&places=lowest").expect(200).body ==
          R"({"far":2,"pair":[1,2],"wait":null,"places":["top","lowest"]})");
    CHECK(client.form("/f", {{"far", "0.5"}, {"pair", "3"}, {"pair", "4"}, {"wait", "9"}}).expect(200).body ==
          R"({"far":0.5,"pair":[3,4],"wait":9,"places":[]})");
    for (const char* query : {"far=-2&pair=1&pair=2", "far=1&pair=1", "far=1&pair=1&pair=2&pair=3", "far=1",
                              "far=1&pair=1&pair=2&wait=1.5", "far=1&pair=1&pair=x", "far=1&pair=1&pair=2&places=no"})
        client.get(std::string("/q?") + query).expect(422);
    CHECK(client.get("/q?far=x&pair=1&pair=2").body.contains(R"(found \"x\", expected a length in metres)"));
    CHECK(client.get("/p/1.5/top/60").expect(200).body == R"({"far":1.5,"pair":[1,2],"wait":60,"places":["top"]})");
    CHECK(client.get("/p/-1/top/60").expect(400).body.contains(R"(`a` must be a length in metres, not \"-1\")"));
    CHECK(client.get("/p/1/bottom/60").expect(400).body.contains("`b` must be "));
    CHECK(client.get("/n/ann/top").expect(200).body == "ann+");
    CHECK(client.get("/n/a/top").expect(400).body.contains("`a` must be a text of 2 to 3 characters"));
}

TEST_CASE("a field may have one message for all of its violations") {
    CHECK(apus::from_json<with_message>(R"({"name":"x","marks":[1,7,"x"],"plain":"y"})").error().detail() ==
          "/name: Choose a name of 2 or 3 letters.; /marks: Marks go from 1 to 5.; /plain: found \"y\", "
          "expected an integer from -2147483648 to 2147483647");
    CHECK(apus::from_json<with_message>(R"({"plain":1})").error().detail() ==
          "/name: Choose a name of 2 or 3 letters.; /marks: Marks go from 1 to 5.");
    CHECK(apus::from_json<with_message>(R"({"name":"ab","name":"ab","marks":[],"plain":1})").error().detail() ==
          "/name: found a duplicate name, expected distinct names");
    apus::app app;
    app.get("/", [](apus::query<with_message> in) { return *std::move(in); });
    apus::test::client client(std::move(app));
    const std::string body = client.get("/?name=x&marks=9").expect(422).body;
    CHECK(body.contains(R"({"detail":"Choose a name of 2 or 3 letters.","pointer":"/name"})"));
    CHECK(body.contains(R"({"detail":"Marks go from 1 to 5.","pointer":"/marks"})"));
}

TEST_CASE("a secret is read, and never shown") {
    using word = apus::secret<apus::text<8, 20>>;
    struct account {
        int id = 1;
        word password;
        std::optional<word> second;
        std::vector<word> old;
        int last = 2;
    };
    auto read =
        apus::from_json<account>(R"({"password":"open-sesame","second":"open-sesame2","old":["open-sesame3"]})");
    REQUIRE(read);
    CHECK(read->password.reveal() == "open-sesame");
    CHECK(apus::to_json(*read) == R"({"id":1,"last":2})");
    CHECK(apus::to_json(held_one<word>{read->password}) == "{}");
    CHECK(apus::to_json(std::vector<word>{read->password}) == "[null]");
    CHECK(apus::to_json_with_secrets(held_one<word>{read->password}) == R"({"v":"open-sesame"})");
    const char* hostile[] = {R"({"password":"hunter2"})",
                             R"({"password":["hunter2"]})",
                             R"({"password":{"hunter2":1}})",
                             R"({"password":hunter2})",
                             R"({"password":"hunter2\q"})",
                             R"({"password":"hunter2)",
                             R"({"password":"hunter2"x})",
                             R"({"password":12345678hunter2})",
                             R"("hunter2")",
                             R"(["hunter2"])",
                             R"({"password":"open-sesame","old":"hunter2"})",
                             R"({"password":"open-sesame","old":["hunter2","hunter2"],"second":"hunter2"})",
                             R"({"password":"open-sesame","id":[{"a":"hunter2"}]})"};
    for (const char* text : hostile) {
        const auto refused = apus::from_json<account>(text);
        REQUIRE(!refused);
        CHECK_MESSAGE(!refused.error().detail().contains("hunter2"), text, ' ', refused.error().detail());
        CHECK_MESSAGE(!refused.error().detail().contains("'h'"), text);
    }
    CHECK(apus::from_json<account>(R"({"password":"hunter2","old":[]})").error().detail() ==
          "/password: found a hidden value, expected a text of 8 to 20 characters");
}

TEST_CASE("the memory of a secret is overwritten") {
    alignas(apus::secret<std::string>) char room[sizeof(apus::secret<std::string>)];
    // short enough to be stored in the object itself
    auto* made = ::new (room) apus::secret<std::string>(std::string("hunter2-short"));
    CHECK(std::string_view(room, sizeof room).contains("hunter2"));
    apus::secret<std::string> moved(std::move(*made));
    CHECK(moved.reveal() == "hunter2-short");
    CHECK(!std::string_view(room, sizeof room).contains("hunter2"));
    *made = moved;
    CHECK(std::string_view(room, sizeof room).contains("hunter2"));
    made->~secret();
    CHECK(!std::string_view(room, sizeof room).contains("hunter2"));
    CHECK(std::move(moved).reveal() == "hunter2-short");
}

TEST_CASE("OpenAPI describes represented types") {
    struct all {
        metres far;
        distant where;
        std::chrono::seconds wait;
        std::array<int, 2> pair;
        apus::secret<apus::text<8, 20>> word;
    };
    apus::app app;
    app.mount(apus::openapi_document({.title = "All", .version = "1"}));
    app.post("/all", [](apus::json<all> in) { return *std::move(in); });
    apus::test::client client(std::move(app));
    const std::string body = client.get("/openapi.json").expect(200).body;
    CHECK(body.contains(R"("far":{"type":"number","format":"double","description":"a length in metres"})"));
    CHECK(body.contains(R"("enum":["lowest","the-same","alias","top"])"));
    CHECK(body.contains(R"("description":"a whole number of seconds")"));
    CHECK(body.contains(R"("minItems":2,"maxItems":2)"));
    CHECK(
        body.contains(R"("word":{"type":"string","minLength":8,"maxLength":20,"format":"password","writeOnly":true})"));
}
