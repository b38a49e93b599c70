// SPDX-License-Identifier: Apache-2.0

#include "answers.hpp"

#include <drogon/drogon.h>
#include <drogon/orm/DbClient.h>

#include <algorithm>

namespace {

using drogon::HttpRequestPtr;
using drogon::HttpResponse;
using drogon::orm::DbClientPtr;

constexpr auto query =
    "select id, name, category, price, quantity, active, tags, rating_score, rating_count "
    "from items where price between $1 and $2 limit $3::int";

Json::Value parsed(const std::string& text) {
    Json::Value value;
    Json::Reader().parse(text, value);
    return value;
}

Json::Value item(const drogon::orm::Row& row) {
    Json::Value value;
    value["id"] = row["id"].as<int>();
    value["name"] = row["name"].as<std::string>();
    value["category"] = row["category"].as<std::string>();
    value["price"] = row["price"].as<int>();
    value["quantity"] = row["quantity"].as<int>();
    value["active"] = row["active"].as<bool>();
    value["tags"] = parsed(row["tags"].as<std::string>());
    value["rating"]["score"] = row["rating_score"].as<int>();
    value["rating"]["count"] = row["rating_count"].as<int>();
    return value;
}

int parameter(const HttpRequestPtr& request, const char* name, int otherwise) {
    return request->getOptionalParameter<int>(name).value_or(otherwise);
}

void find(const DbClientPtr& database, const HttpRequestPtr& request, peer::answer&& send) {
    auto answer = std::make_shared<peer::answer>(std::move(send));
    database->execSqlAsync(
        query,
        [answer](const drogon::orm::Result& rows) {
            Json::Value value;
            value["items"] = Json::arrayValue;
            for (const auto& row : rows) value["items"].append(item(row));
            value["count"] = static_cast<Json::UInt64>(rows.size());
            (*answer)(HttpResponse::newHttpJsonResponse(std::move(value)));
        },
        [answer](const drogon::orm::DrogonDbException& failed) {
            LOG_ERROR << failed.base().what();
            auto response = HttpResponse::newHttpResponse();
            response->setStatusCode(drogon::k500InternalServerError);
            (*answer)(response);
        },
        parameter(request, "min", 10), parameter(request, "max", 50),
        std::clamp(parameter(request, "limit", 50), 1, 50));
}

}  // namespace

namespace peer {

void add_database(const std::string& url, std::size_t connections) {
    drogon::app().registerHandler(
        "/async-db",
        [database = drogon::orm::DbClient::newPgClient(url, connections)](
            const HttpRequestPtr& request, answer&& send) { find(database, request, std::move(send)); },
        {drogon::Get});
}

}  // namespace peer
