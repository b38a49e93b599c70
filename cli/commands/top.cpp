// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string_view>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/terminal/full_screen.hpp"
#include "cli/watching/watch.hpp"

namespace apus::cli::commands {

namespace top_detail {

constexpr option options[] = {
    {.name = "admin", .value = "ADDRESS", .summary = "the server's option `--admin`: 127.0.0.1:9090 or unix:PATH"},
    {.name = "sort", .value = "rate|requests|errors|latency", .summary = "order of the routes (rate)"},
    {.name = "once", .summary = "print one snapshot and exit"},
};
constexpr std::string_view examples[] = {"apus top --admin 127.0.0.1:9090",
                                         "apus top --admin unix:/run/shop.sock --once"};

int run(const arguments& given, context& in) {
    const auto where = given.value("admin");
    if (!where)
        misuse("`--admin ADDRESS` is required: the address that the server prints after `administration on`",
               given.of());
    const watching::admin_client from(*where);
    watching::view how;
    if (const auto sort = given.value("sort")) {
        constexpr std::string_view names[] = {"rate", "requests", "errors", "latency"};
        std::size_t at = 0;
        while (at < std::size(names) && names[at] != *sort) ++at;
        if (at == std::size(names)) misuse("`--sort` must be rate, requests, errors or latency", given.of());
        how.order = static_cast<watching::route_order>(at);
    }
    if (given.has("once") || !terminal::full_screen::is_supported()) watching::print_once(from, how, in.shell);
    else watching::watch(from, how, in.shell.colored());
    return 0;
}

}  // namespace top_detail

constinit const command top = {
    .name = "top",
    .group = "Work",
    .summary = "show requests, routes and cores of a running server",
    .description =
        "Reads `/metrics` and `/debug/requests` of the server's administration each second, and shows rates,\n"
        "latencies, cores, memory, and requests in flight, slowest and failed requests. Keys change the\n"
        "order of the routes and the list of requests; `q` quits. If standard input or output is not a\n"
        "terminal, prints one snapshot, with the rates of one second.",
    .operands = {},
    .options = top_detail::options,
    .examples = top_detail::examples,
    .run = top_detail::run,
};

}  // namespace apus::cli::commands
