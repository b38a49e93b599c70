// SPDX-License-Identifier: Apache-2.0
#include <apus/config.hpp>

#include "configuration/state.hpp"

#include <apus/log.hpp>

#include <unistd.h>

namespace apus::detail {
namespace {

// Exit status of the server for an invalid command line.
constexpr int is_invalid = 2;

int print_problems(const config_state& of) {
    const auto& arguments = of.command_line().of_server;
    std::string all;
    for (const std::string& each : of.problems()) all += (all.empty() ? "" : "\nerror: ") + each;
    return server::report(all + "\n\nhint: " + (arguments.empty() ? "program" : arguments[0]) + " --help", is_invalid);
}

int report_with(config_state& of, bool with_tls) {
    using configuration::command;
    const command wanted = of.command_line().wanted;
    const bool needs_values = wanted == command::none || wanted == command::show || wanted == command::check;
    if (needs_values && !of.problems().empty()) return print_problems(of);
    if (wanted != command::check) return server::print(of.page(wanted, with_tls));
    std::string text;
    for (const std::string& each : of.warnings()) text += "warning: " + each + "\n";
    return server::print(text + "the configuration is valid\n");
}

}  // namespace

owned_parts<config_state> read_config(const schema::type& t, const std::string_view* reloadable, std::size_t count,
                                      int argc, char** argv, const config_options& options) {
    auto* const made = new config_state(t, {reloadable, count}, options, environ);
    auto owned = own_parts(made);
    made->read(argc, argv);
    return owned;
}

owned_parts<config_state> initial_config(const schema::type& t) {
    return own_parts(new config_state(t, {}, {}, nullptr));
}

const void* const* current_config(const config_state& of) noexcept { return of.current(); }

bool is_usable(const config_state& of) noexcept { return of.is_usable(); }

int report_config(config_state& of) { return report_with(of, false); }

int serve_config(maker make, config_state& of, serve_options options) {
    if (!of.is_usable()) return report_with(of, static_cast<bool>(options.tls));
    for (const std::string& each : of.warnings()) log::warn("configuration", {"reason", each});
    configuration::apply(of.server(), options);
    std::vector<char*> arguments = of.command_line().of_server;
    const int count = static_cast<int>(arguments.size());
    arguments.push_back(nullptr);
    return server::serve(make, count, arguments.data(), std::move(options), &of);
}

}  // namespace apus::detail
