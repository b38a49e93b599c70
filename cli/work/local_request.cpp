// SPDX-License-Identifier: Apache-2.0
#include "cli/work/local_request.hpp"

#include <cstring>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/errors/failure.hpp"
#include "cli/system/files.hpp"
#include "cli/system/paths.hpp"
#include "cli/system/signals.hpp"
#include "cli/work/background_program.hpp"

namespace apus::cli::work {

namespace {

std::string read_all(int socket) {
    std::string all;
    char piece[16384];
    for (ssize_t n; (n = read(socket, piece, sizeof piece)) > 0;) all.append(piece, static_cast<std::size_t>(n));
    return all;
}

// Requests a path and returns the response. Uses HTTP/1.0, so that the server closes the connection after the response.
std::string ask(const std::string& socket_path, const std::string& path) {
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un to{.sun_family = AF_UNIX, .sun_path = {}};
    std::strncpy(to.sun_path, socket_path.c_str(), sizeof to.sun_path - 1);
    const std::string request = "GET " + path + " HTTP/1.0\r\nHost: localhost\r\n\r\n";
    std::string answer;
    if (connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 &&
        send(fd, request.data(), request.size(), MSG_NOSIGNAL) > 0)
        answer = read_all(fd);
    close(fd);
    return answer;
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
    const std::string answer = ask(socket_path, path);
    system::throw_if_interrupted();
    const std::size_t end = answer.find("\r\n\r\n");
    if (!answer.starts_with("HTTP/1.1 200") || end == answer.npos)
        throw errors::failure("E0307",
                              "the program responds to " + path + " with `" + answer.substr(0, answer.find('\r')) + "`",
                              "middleware, such as authentication, may reject the request");
    return answer.substr(end + 4);
}

}  // namespace apus::cli::work
