// SPDX-License-Identifier: Apache-2.0
#include "server/command_line.hpp"

#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>

namespace apus::server {
namespace {

using problem = std::expected<void, std::string>;

template <class T>
problem read_number(std::string_view flag, std::string_view text, T least, T most, T& to) {
    T value{};
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
        return std::unexpected(std::string(flag) + " takes a number from " + std::to_string(least) + " to " +
                               std::to_string(most) + ", not `" + std::string(text) + "`");
    to = value;
    return {};
}

bool is_of_tls(std::string_view flag) { return flag == "--certificate" || flag == "--key" || flag == "--ocsp"; }

// A key and an OCSP response belong to the certificate in front of them.
problem read_file_name(std::string_view flag, std::string_view value, command_line& to) {
    if (!to.options.tls) return std::unexpected(std::string(flag) + ": this program serves no TLS");
    if (flag == "--certificate") return to.certificates.push_back({std::string(value)}), problem();
    if (to.certificates.empty())
        return std::unexpected(std::string(flag) + " stands behind the --certificate that it belongs to");
    (flag == "--key" ? to.certificates.back().key : to.certificates.back().ocsp) = value;
    return {};
}

problem read_one(std::string_view flag, std::string_view value, command_line& to) {
    auto& o = to.options;
    if (flag == "--host") return o.host = value, problem();
    if (is_of_tls(flag)) return read_file_name(flag, value, to);
    if (flag == "--listen") return o.listen.emplace_back(value), problem();
    if (flag == "--listen-proxied") return o.listen_proxied.emplace_back(value), problem();
    if (flag == "--proxy") return o.proxies.emplace_back(value), problem();
    if (flag == "--port") return read_number<std::uint16_t>(flag, value, 0, 65535, o.port);
    if (flag == "--cores") return read_number<unsigned>(flag, value, 0, 1024, o.cores);
    std::int64_t count = 0;
    auto read = read_number<std::int64_t>(flag, value, 0, 86'400, count);
    if (read) o.drain = seconds(count);
    return read;
}

bool takes_value(std::string_view flag) {
    return flag == "--host" || flag == "--listen" || flag == "--listen-proxied" || flag == "--proxy" ||
           flag == "--port" || flag == "--cores" || flag == "--drain" || is_of_tls(flag);
}

}  // namespace

std::expected<command_line, std::string> read_command_line(int argc, char** argv, serve_options defaults) {
    command_line line{std::move(defaults)};
    bool listens = false;
    for (int i = 1; i < argc; ++i) {
        std::string_view arg = argv[i];
        auto equals = arg.find('=');
        auto flag = arg.substr(0, equals);
        if (arg == "--help" || arg == "-h") {
            line.wants_help = true;
        } else if (arg == "--routes") {
            line.wants_routes = true;
        } else if (arg == "--access-log") {
            line.options.access_log = true;
        } else if (arg == "--self-signed") {
            if (!line.options.tls) return std::unexpected("--self-signed: this program serves no TLS");
            line.self_signs = true;
        } else if (!takes_value(flag)) {
            return std::unexpected("`" + std::string(arg) + "` is no option of this program");
        } else {
            if (equals == arg.npos && ++i == argc) return std::unexpected(std::string(flag) + " needs a value");
            // What the command line says of where to listen replaces what the program said.
            const bool where = flag == "--host" || flag == "--port" || flag == "--listen";
            if (where && (flag != "--listen" || !std::exchange(listens, true))) line.options.listen.clear();
            auto read = read_one(flag, equals == arg.npos ? argv[i] : arg.substr(equals + 1), line);
            if (!read) return std::unexpected(read.error());
        }
    }
    return line;
}

std::string usage(const char* program, bool with_tls) {
    const char* const tls =
        "  --certificate FILE certificate in PEM, with those that lead to a root; several times for several names\n"
        "  --key FILE         key of the certificate in front, in PEM (in the same file)\n"
        "  --ocsp FILE        OCSP response in DER, which is shown with the certificate in front\n"
        "  --self-signed      make a certificate for development, in these files if they are named and missing\n";
    return "Usage: " + std::string(program) + " [options]\n\n" +
           "  --host ADDRESS     IPv4 or IPv6 address to listen on (127.0.0.1)\n"
           "  --port NUMBER      port to listen on; 0 picks a free one (8080)\n"
           "  --listen WHERE     in place of these, also several times: 127.0.0.1:8080, [::1]:8080, unix:/path\n"
           "                     behind a comma what is spoken there, if not all: http/1.1, h2c, or h2 at https://\n"
           "  --listen-proxied WHERE  for proxies that send PROXY headers; also several times\n"
           "  --proxy NETWORK    an address, or a network, of these proxies; also several times\n" +
           std::string(with_tls ? tls : "") +
           "  --cores NUMBER     threads that serve; 0 means one for each CPU (0)\n"
           "  --drain SECONDS    how long requests may take to end when the server stops (30)\n"
           "  --access-log       log each response\n"
           "  --routes           list the routes, and serve nothing\n"
           "  --help             this text\n\n"
           "Environment: APUS_IO=uring|epoll, APUS_LOG=trace|debug|info|warn|error|off.\n";
}

}  // namespace apus::server
