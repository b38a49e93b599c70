// SPDX-License-Identifier: Apache-2.0
#include "cli/work/routes.hpp"

#include <algorithm>

#include "base/json_string.hpp"
#include "cli/system/files.hpp"
#include "cli/system/process.hpp"
#include "cli/text/lists.hpp"
#include "cli/work/build.hpp"
#include "cli/work/local_request.hpp"
#include "cli/work/presets.hpp"

namespace apus::cli::work {

namespace {

namespace fs = std::filesystem;

manifest::manifest built_project(const std::string& preset, terminal::shell& shell) {
    manifest::manifest project = manifest::find();
    build(project, {.preset = preset}, shell);
    program_of(project, preset);
    return project;
}

}  // namespace

bool has_program(const manifest::manifest& project, const std::string& preset) {
    return fs::exists(build_folder(project, preset) / project.project.name);
}

std::vector<listed_route> routes_of(const manifest::manifest& project, const std::string& preset) {
    const system::outcome ended =
        system::run({.words = {program_of(project, preset).string(), "--routes"}, .folder = project.folder});
    if (!ended.ok())
        throw errors::failure(
            "E0307", "the program failed to create its app: " + std::string(ended.error, 0, ended.error.find('\n')),
            "`apus run` reproduces the error");
    std::vector<listed_route> routes;
    for (const std::string_view line : text::split(ended.out, '\n'))
        if (const std::size_t space = line.find(' '); space != line.npos) {
            const std::string_view rest = line.substr(space + 1), path = rest.substr(0, rest.find(' '));
            routes.push_back({std::string(line.substr(0, space)), std::string(path), rest.ends_with(" (WebSocket)")});
        }
    return routes;
}

std::string find_description(const std::vector<listed_route>& routes) {
    const auto at =
        std::ranges::find_if(routes, [](const listed_route& route) { return route.path.ends_with("/openapi.json"); });
    return at == routes.end() ? "" : at->path;
}

std::string request_description(const manifest::manifest& project, const std::string& preset, const std::string& path) {
    return request_from_program(program_of(project, preset), project.folder, path);
}

void print_routes(const std::string& preset, bool json, terminal::shell& shell) {
    std::string text;
    for (const listed_route& route : routes_of(built_project(preset, shell), preset)) {
        if (!json) {
            text.append(route.method)
                .append(8 - std::min<std::size_t>(7, route.method.size()), ' ')
                .append(route.path)
                .append(route.is_socket ? "  (WebSocket)\n" : "\n");
            continue;
        }
        text += text.empty() ? "[\n" : ",\n";
        text.append("  {\"method\": \"").append(route.method).append("\", \"path\": ");
        base::append_json_string(text, route.path);
        text += route.is_socket ? ", \"websocket\": true}" : "}";
    }
    if (json) text += text.empty() ? "[]\n" : "\n]\n";
    shell.print(text);
}

void print_description(const std::string& preset, const std::string& output, terminal::shell& shell) {
    const manifest::manifest project = built_project(preset, shell);
    const std::string path = find_description(routes_of(project, preset));
    if (path.empty())
        throw errors::failure("E0308", "the app has no API description: no route ends in `/openapi.json`",
                              "`app.mount(apus::openapi_document({.title = ..., .version = ...}))` adds the route");
    const std::string document = request_description(project, preset, path);
    if (output.empty()) return shell.print(document);
    system::replace_file(output, document);
    shell.event("Wrote", output);
}

}  // namespace apus::cli::work
