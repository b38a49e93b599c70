// SPDX-License-Identifier: Apache-2.0

#include "answers.hpp"

#include <drogon/drogon.h>
#include <drogon/orm/DbClient.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace {

using drogon::HttpRequestPtr;
using drogon::HttpResponse;
using drogon::orm::DrogonDbException;
using drogon::orm::Result;

constexpr auto by_id = "select id, randomnumber from world where id = $1";
constexpr auto change =
    "update world set randomnumber = new.number from unnest($1::int[], $2::int[]) as new (id, number) "
    "where world.id = new.id";

struct world {
    int id = 0;
    int random_number = 0;
};

// The rows of a request, while their statements are in flight.
struct reading {
    peer::answer send;
    std::vector<world> rows;
    std::size_t missing = 0;
    bool failed = false;
};

int random_id() {
    thread_local std::minstd_rand random(std::random_device{}());
    return std::uniform_int_distribution<int>(1, 10'000)(random);
}

std::size_t count_of(const HttpRequestPtr& request) {
    return static_cast<std::size_t>(std::clamp(request->getOptionalParameter<int>("queries").value_or(1), 1, 500));
}

Json::Value json(const world& one) {
    Json::Value value;
    value["id"] = one.id;
    value["randomNumber"] = one.random_number;
    return value;
}

void send_all(reading& of) {
    Json::Value value(Json::arrayValue);
    for (const world& one : of.rows) value.append(json(one));
    of.send(HttpResponse::newHttpJsonResponse(std::move(value)));
}

world row_of(const Result& rows) { return {rows[0]["id"].as<int>(), rows[0]["randomnumber"].as<int>()}; }

void find_one(const HttpRequestPtr&, peer::answer&& send) {
    auto answer = std::make_shared<peer::answer>(std::move(send));
    drogon::app().getFastDbClient()->execSqlAsync(
        by_id, [answer](const Result& rows) { (*answer)(HttpResponse::newHttpJsonResponse(json(row_of(rows)))); },
        [answer](const DrogonDbException& failed) { peer::fail(*answer, failed); }, random_id());
}

// Sends a statement for each id at once, and calls `done` when all rows have arrived.
template <class Done>
void find_all(const std::vector<int>& ids, peer::answer&& send, Done done) {
    auto of = std::make_shared<reading>(reading{std::move(send), std::vector<world>(ids.size()), ids.size()});
    const auto database = drogon::app().getFastDbClient();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        database->execSqlAsync(
            by_id,
            [of, i, done](const Result& rows) {
                of->rows[i] = row_of(rows);
                if (--of->missing == 0 && !of->failed) done(of);
            },
            [of](const DrogonDbException& failed) {
                if (!of->failed) peer::fail(of->send, failed);
                of->failed = true;
            },
            ids[i]);
    }
}

void find_several(const HttpRequestPtr& request, peer::answer&& send) {
    std::vector<int> ids(count_of(request));
    std::ranges::generate(ids, random_id);
    find_all(ids, std::move(send), [](const std::shared_ptr<reading>& of) { send_all(*of); });
}

// An array as text, since the client does not support array parameters.
template <class Member>
std::string list(const std::vector<world>& rows, Member member) {
    std::string text = "{";
    for (const world& one : rows) text.append(text.size() > 1 ? "," : "").append(std::to_string(one.*member));
    return text + "}";
}

// Rows are locked in the order of their ids, so that concurrent updates cannot deadlock.
void change_several(const HttpRequestPtr& request, peer::answer&& send) {
    std::set<int> chosen;
    while (chosen.size() < count_of(request)) chosen.insert(random_id());
    find_all({chosen.begin(), chosen.end()}, std::move(send), [](const std::shared_ptr<reading>& of) {
        for (world& one : of->rows) one.random_number = random_id();
        drogon::app().getFastDbClient()->execSqlAsync(
            change, [of](const Result&) { send_all(*of); },
            [of](const DrogonDbException& failed) { peer::fail(of->send, failed); }, list(of->rows, &world::id),
            list(of->rows, &world::random_number));
    });
}

struct fortune {
    int id;
    std::string message;
};

void fortunes(const HttpRequestPtr&, peer::answer&& send) {
    auto answer = std::make_shared<peer::answer>(std::move(send));
    drogon::app().getFastDbClient()->execSqlAsync(
        "select id, message from fortune",
        [answer](const Result& rows) {
            std::vector<fortune> all;
            for (const auto& row : rows) all.push_back({row["id"].as<int>(), row["message"].as<std::string>()});
            all.push_back({0, "Additional fortune added at request time."});
            std::ranges::sort(all, {}, &fortune::message);
            drogon::HttpViewData data;
            std::vector<std::pair<int, std::string>> shown;
            for (fortune& one : all)
                shown.emplace_back(one.id, drogon::HttpViewData::htmlTranslate(std::move(one.message)));
            data.insert("fortunes", std::move(shown));
            (*answer)(HttpResponse::newHttpViewResponse("fortunes", data));
        },
        [answer](const DrogonDbException& failed) { peer::fail(*answer, failed); });
}

}  // namespace

namespace peer {

void add_world() {
    drogon::app().registerHandler("/db", &find_one, {drogon::Get});
    drogon::app().registerHandler("/queries", &find_several, {drogon::Get});
    drogon::app().registerHandler("/updates", &change_several, {drogon::Get});
    drogon::app().registerHandler("/fortunes", &fortunes, {drogon::Get});
}

}  // namespace peer
