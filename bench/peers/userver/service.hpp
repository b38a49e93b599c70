// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <userver/components/component_list.hpp>
#include <userver/components/run.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace peer {

struct options {
    int port;
    int tls_port;  // 0: no TLS
    int threads;
    std::string data;  // the folder with static, dataset.json, cert.pem and key.pem
};

// Components of userver with their static configuration.
class service {
public:
    explicit service(const options& chosen);

    // `more` are further lines of YAML, such as `key: value`.
    template <class Component>
    void add(std::string_view name, std::initializer_list<std::string_view> more = {}) {
        components_.Append<Component>(name);
        configure(name, more);
    }

    template <class Handler>
    void add_handler(std::string_view name, std::string_view path, std::string_view methods = "GET",
                     std::initializer_list<std::string_view> more = {}) {
        add<Handler>(name, more);
        route(path, methods);
    }

    void run() const;

private:
    void configure(std::string_view name, std::initializer_list<std::string_view> more);
    void route(std::string_view path, std::string_view methods);

    userver::components::ComponentList components_;
    std::string config_;
};

}  // namespace peer
