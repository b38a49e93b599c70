// SPDX-License-Identifier: Apache-2.0

#include "answers.hpp"

#include <drogon/drogon.h>
#include <drogon/orm/DbClient.h>
#include <drogon/orm/DbConfig.h>

#include <libpq-fe.h>

#include <algorithm>
#include <string_view>

namespace {

using drogon::HttpRequestPtr;
using drogon::HttpResponse;

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

void find(const HttpRequestPtr& request, peer::answer&& send) {
    auto answer = std::make_shared<peer::answer>(std::move(send));
    drogon::app().getFastDbClient()->execSqlAsync(
        query,
        [answer](const drogon::orm::Result& rows) {
            Json::Value value;
            value["items"] = Json::arrayValue;
            for (const auto& row : rows) value["items"].append(item(row));
            value["count"] = static_cast<Json::UInt64>(rows.size());
            (*answer)(HttpResponse::newHttpJsonResponse(std::move(value)));
        },
        [answer](const drogon::orm::DrogonDbException& failed) { peer::fail(*answer, failed); },
        parameter(request, "min", 10), parameter(request, "max", 50),
        std::clamp(parameter(request, "limit", 50), 1, 50));
}

// The fast client does not accept a URL.
drogon::orm::PostgresConfig config_of(const std::string& url) {
    drogon::orm::PostgresConfig config{};
    PQconninfoOption* options = PQconninfoParse(url.c_str(), nullptr);
    for (auto* each = options; each && each->keyword; ++each) {
        const std::string_view keyword = each->keyword;
        const std::string value = each->val ? each->val : "";
        if (keyword == "host") config.host = value;
        if (keyword == "port") config.port = static_cast<unsigned short>(std::stoi(value.empty() ? "5432" : value));
        if (keyword == "dbname") config.databaseName = value;
        if (keyword == "user") config.username = value;
    }
    PQconninfoFree(options);
    return config;
}

}  // namespace

namespace peer {

void fail(const answer& send, const drogon::orm::DrogonDbException& why) {
    LOG_ERROR << why.base().what();
    auto response = HttpResponse::newHttpResponse();
    response->setStatusCode(drogon::k500InternalServerError);
    send(response);
}

void add_database(const std::string& url, std::size_t connections) {
    auto config = config_of(url);
    config.connectionNumber = connections;  // of each thread that handles requests
    config.name = "default";
    config.isFast = true;
    config.timeout = -1;
    config.autoBatch = true;
    drogon::app().addDbClient(config);
    drogon::app().registerHandler("/async-db", &find, {drogon::Get});
    add_world();
}

}  // namespace peer
