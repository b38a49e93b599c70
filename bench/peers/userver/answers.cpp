// SPDX-License-Identifier: Apache-2.0

#include "answers.hpp"

#include <userver/components/component_base.hpp>
#include <userver/components/component_context.hpp>
#include <userver/components/fs_cache.hpp>
#include <userver/formats/json.hpp>
#include <userver/http/content_type.hpp>
#include <userver/server/component.hpp>
#include <userver/server/handlers/http_handler_static.hpp>
#include <userver/utils/from_string.hpp>

#include <cstddef>
#include <utility>

namespace {

using peer::context;
using peer::request;
using userver::components::ComponentConfig;
using userver::components::ComponentContext;
using userver::server::handlers::HttpHandlerBase;
namespace content_type = userver::http::content_type;
namespace json = userver::formats::json;

std::string plain(const request& asked, std::string text) {
    asked.GetHttpResponse().SetContentType(content_type::kTextPlain);
    return text;
}

class greeting final : public HttpHandlerBase {
public:
    using HttpHandlerBase::HttpHandlerBase;
    std::string HandleRequestThrow(const request& asked, context&) const override {
        asked.GetHttpResponse().SetContentType(content_type::kApplicationJson);
        return json::ToString(json::MakeObject("message", "Hello, World!", "id", 42, "ok", true));
    }
};

template <std::size_t Size>
class body final : public HttpHandlerBase {
public:
    using HttpHandlerBase::HttpHandlerBase;
    std::string HandleRequestThrow(const request& asked, context&) const override { return plain(asked, text_); }

private:
    const std::string text_ = std::string(Size, 'x');
};

class upload final : public HttpHandlerBase {
public:
    using HttpHandlerBase::HttpHandlerBase;
    std::string HandleRequestThrow(const request& asked, context&) const override {
        return plain(asked, std::to_string(asked.RequestBody().size()));
    }
};

class sum final : public HttpHandlerBase {
public:
    using HttpHandlerBase::HttpHandlerBase;
    std::string HandleRequestThrow(const request& asked, context&) const override {
        long total =
            userver::utils::FromString<long>(asked.GetArg("a")) + userver::utils::FromString<long>(asked.GetArg("b"));
        if (!asked.RequestBody().empty()) total += userver::utils::FromString<long>(asked.RequestBody());
        return plain(asked, std::to_string(total));
    }
};

// userver registers handlers only with the component `server`; this component adds one to the TLS listener.
class tls_routes final : public userver::components::ComponentBase {
public:
    tls_routes(const ComponentConfig& config, const ComponentContext& components) : ComponentBase(config, components) {
        components.FindComponent<userver::components::Server>("tls-server")
            .AddHandler(components.FindComponent<peer::hello>("bench"),
                        components.GetTaskProcessor("main-task-processor"));
    }
};

}  // namespace

namespace peer {

std::string hello::HandleRequestThrow(const request& asked, context&) const { return plain(asked, "Hello, World!"); }

void add_texts(service& to) {
    to.add_handler<hello>("bench", "/bench");
    to.add_handler<greeting>("json", "/json");
    to.add_handler<sum>("sum", "/baseline11", "GET,POST");
}

void add_bodies(service& to) {
    to.add_handler<body<65'536>>("body-64k", "/body/64k");
    to.add_handler<body<1'048'576>>("body-1m", "/body/1m");
    to.add_handler<upload>("upload", "/upload", "POST", {"max_request_size: 33554432"});
}

void add_static(service& to, const std::string& data) {
    to.add<userver::components::FsCache>("fs-cache-component",
                                         {"dir: " + data, "fs-task-processor: fs-task-processor"});
    to.add_handler<userver::server::handlers::HttpHandlerStatic>("static", "/static/*");
}

void add_tls(service& to) { to.add<tls_routes>("tls-routes"); }

}  // namespace peer
