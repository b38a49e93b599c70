// SPDX-License-Identifier: Apache-2.0

#include <userver/components/minimal_server_component_list.hpp>
#include <userver/server/handlers/http_handler_base.hpp>
#include <userver/utils/daemon_run.hpp>

#include <string>
#include <string_view>

class hello final : public userver::server::handlers::HttpHandlerBase {
public:
    static constexpr std::string_view kName = "hello";
    using HttpHandlerBase::HttpHandlerBase;
    std::string HandleRequestThrow(const userver::server::http::HttpRequest&,
                                   userver::server::request::RequestContext&) const override {
        return "Hello, World!";
    }
};

int main(int argc, char** argv) {
    return userver::utils::DaemonMain(argc, argv, userver::components::MinimalServerComponentList().Append<hello>());
}
