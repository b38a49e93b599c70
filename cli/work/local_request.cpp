// SPDX-License-Identifier: Apache-2.0
#include "cli/work/local_request.hpp"

#include <chrono>
#include <utility>

#include "cli/errors/failure.hpp"
#include "cli/system/files.hpp"
#include "cli/system/http_client.hpp"
#include "cli/system/paths.hpp"
#include "cli/system/signals.hpp"
#include "cli/work/background_program.hpp"

namespace apus::cli::work {

namespace {

constexpr std::chrono::seconds longest_response(30);

system::http_client::response ask(const std::string& socket_path, const std::string& path) {
    try {
        return system::http_client("unix:" + socket_path).get(path, "*/*", longest_response);
    } catch (const system::http_client::error& why) {
        throw errors::failure("E0307", "the program does not respond to " + path + ": " + why.what(),
                              "`apus run` starts the program, and `curl` can then request the path");
    }
}

}  // namespace

std::string request_from_program(const std::filesystem::path& program, const std::filesystem::path& folder,
                                 const std::string& path) {
    const std::filesystem::path scratch = std::filesystem::temp_directory_path() / "apus-ask";
    const system::staged_folder made(scratch);  // removed at the end of the scope
    const std::string socket_path = (made.path() / "s").string();
    background_program service(
        {.words = {program.string(), "--listen", "unix:" + socket_path, "--cores", "1", "--drain", "1"},
         .folder = folder,
         .environment = {{"APUS_LOG", "warn"}, {"APUS_PREPARE", "0"}}});
    const bool listens = !service.wait_for_url().empty();
    system::throw_if_interrupted();
    if (!listens)
        throw errors::failure("E0307", "the program exited before it listened",
                              "the output of the program is above; `apus run` reproduces the error");
    system::http_client::response got = ask(socket_path, path);
    if (got.status != 200)
        throw errors::failure("E0307",
                              "the program responds to " + path + " with the status " + std::to_string(got.status),
                              "middleware, such as authentication, may reject the request");
    return std::move(got.body);
}

}  // namespace apus::cli::work
