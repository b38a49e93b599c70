// SPDX-License-Identifier: Apache-2.0

#include "answers.hpp"

#include <userver/server/middlewares/configuration.hpp>
#include <userver/server/middlewares/http_middleware_base.hpp>

namespace {

namespace middlewares = userver::server::middlewares;

class pass final : public middlewares::HttpMiddlewareBase {
public:
    explicit pass(const userver::server::handlers::HttpHandlerBase&) {}

private:
    void HandleRequest(userver::server::http::HttpRequest& request, peer::context& context) const override {
        Next(request, context);
    }
};

std::string name_of(int number) { return "pass-" + std::to_string(number); }

class ten_more final : public middlewares::HandlerPipelineBuilder {
public:
    using HandlerPipelineBuilder::HandlerPipelineBuilder;
    middlewares::MiddlewaresList BuildPipeline(middlewares::MiddlewaresList pipeline) const override {
        for (int i = 0; i < 10; ++i) pipeline.push_back(name_of(i));
        return pipeline;
    }
};

}  // namespace

namespace peer {

void add_middlewares(service& to) {
    for (int i = 0; i < 10; ++i) to.add<middlewares::SimpleHttpMiddlewareFactory<pass>>(name_of(i));
    to.add<ten_more>("ten-more");
    to.add_handler<hello>("middlewares", "/middlewares", "GET", {"middlewares:", "  pipeline-builder: ten-more"});
}

}  // namespace peer
