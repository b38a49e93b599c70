// SPDX-License-Identifier: Apache-2.0

#include "answers.hpp"

#include <userver/components/component_config.hpp>
#include <userver/components/component_context.hpp>
#include <userver/formats/json.hpp>
#include <userver/fs/read.hpp>
#include <userver/http/content_type.hpp>
#include <userver/utils/from_string.hpp>
#include <userver/yaml_config/merge_schemas.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace {

namespace json = userver::formats::json;
using userver::components::ComponentConfig;
using userver::components::ComponentContext;
using userver::server::handlers::HttpHandlerBase;
using userver::utils::FromString;

json::Value read(const ComponentConfig& config, const ComponentContext& components) {
    return json::FromString(userver::fs::ReadFileContents(components.GetTaskProcessor("fs-task-processor"),
                                                          config["dataset"].As<std::string>()));
}

class items final : public HttpHandlerBase {
public:
    items(const ComponentConfig& config, const ComponentContext& components)
        : HttpHandlerBase(config, components), all_(read(config, components)) {}

    std::string HandleRequestThrow(const peer::request& asked, peer::context&) const override {
        const auto count = std::min(FromString<std::size_t>(asked.GetPathArg("count")), all_.GetSize());
        const auto m = FromString<int>(asked.GetArg("m"));
        json::ValueBuilder list(json::Type::kArray);
        for (std::size_t i = 0; i < count; ++i) {
            json::ValueBuilder item(all_[i]);
            item["total"] = all_[i]["price"].As<int>() * all_[i]["quantity"].As<int>() * m;
            list.PushBack(std::move(item));
        }
        asked.GetHttpResponse().SetContentType(userver::http::content_type::kApplicationJson);
        return json::ToString(json::MakeObject("items", list.ExtractValue(), "count", count));
    }

    static userver::yaml_config::Schema GetStaticConfigSchema() {
        return userver::yaml_config::MergeSchemas<HttpHandlerBase>(R"(
type: object
description: Priced items
additionalProperties: false
properties:
    dataset:
        type: string
        description: file with the items as JSON
)");
    }

private:
    const json::Value all_;
};

}  // namespace

namespace peer {

void add_items(service& to, const std::string& dataset) {
    to.add_handler<items>("items", "/json/{count}", "GET", {"dataset: " + dataset});
}

}  // namespace peer
