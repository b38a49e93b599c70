// SPDX-License-Identifier: Apache-2.0

#include "service.hpp"

#include <userver/components/minimal_server_component_list.hpp>
#include <userver/server/component.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace {

// The base configuration: pool and buffer sizes, and the ratio of event threads to workers, are those of userver's
// production template.
std::string base_config(int threads) {
    return fmt::format(R"(components_manager:
  coro_pool:
    initial_size: 5000
    max_size: 50000
  event_thread_pool:
    threads: {}
  default_task_processor: main-task-processor
  task_processors:
    main-task-processor:
      worker_threads: {}
    fs-task-processor:
      worker_threads: 2
  components:
    logging:
      fs-task-processor: fs-task-processor
      loggers:
        default:
          file_path: '@stderr'
          level: warning
          overflow_behavior: discard
)",
                       std::max(1, threads / 3), threads);
}

std::string server_config(std::string_view name, int port) {
    return fmt::format(R"(    {}:
      max_response_size_in_flight: 1000000000
      listener:
        address: 127.0.0.1
        port: {}
        task_processor: main-task-processor
        connection:
          in_buffer_size: 32768
          requests_queue_size_threshold: 100
)",
                       name, port);
}

}  // namespace

namespace peer {

service::service(const options& chosen)
    : components_(userver::components::MinimalServerComponentList()),
      config_(base_config(chosen.threads) + server_config("server", chosen.port)) {
    if (chosen.tls_port == 0) return;
    components_.Append<userver::components::Server>("tls-server");
    config_ += server_config("tls-server", chosen.tls_port);
    config_ +=
        fmt::format("        tls:\n          cert: {0}/cert.pem\n          private-key: {0}/key.pem\n", chosen.data);
}

void service::configure(std::string_view name, std::initializer_list<std::string_view> more) {
    config_ += fmt::format("    {}:\n      load-enabled: true\n", name);
    for (const auto line : more) config_ += fmt::format("      {}\n", line);
}

void service::route(std::string_view path, std::string_view methods) {
    config_ +=
        fmt::format("      path: '{}'\n      method: {}\n      task_processor: main-task-processor\n", path, methods);
}

void service::run() const { userver::components::Run(userver::components::InMemoryConfig{config_}, components_); }

}  // namespace peer
