// SPDX-License-Identifier: Apache-2.0
#include "server/command_line.hpp"

#include "base/nearest.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
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

// A key and an OCSP response belong to the certificate that precedes them.
problem read_file_name(std::string_view flag, std::string_view value, command_line& to) {
    if (!to.options.tls) return std::unexpected(std::string(flag) + ": this program has no TLS");
    if (flag == "--certificate") return to.certificates.push_back({std::string(value)}), problem();
    if (to.certificates.empty())
        return std::unexpected(std::string(flag) + " must follow the --certificate it belongs to");
    (flag == "--key" ? to.certificates.back().key : to.certificates.back().ocsp) = value;
    return {};
}

// Adds to the paths and ports that the program names.
problem read_sandbox(std::string_view flag, std::string_view value, sandbox_options& to) {
    if (to.mode == sandbox_mode::off) to.mode = sandbox_mode::available;
    if (flag == "--sandbox-read") return to.read.emplace_back(value), problem();
    if (flag == "--sandbox-write") return to.write.emplace_back(value), problem();
    if (flag == "--sandbox-exec") return to.allow_exec.emplace_back(value), problem();
    if (value == "unix") return to.connect_unix = true, problem();
    std::uint16_t port = 0;
    auto read = read_number<std::uint16_t>(flag, value, 1, 65535, port);
    if (read) to.connect.push_back(port);
    return read;
}

bool is_of_sandbox(std::string_view flag) { return flag.starts_with("--sandbox-"); }

problem read_one(std::string_view flag, std::string_view value, command_line& to) {
    auto& o = to.options;
    if (flag == "--host") return o.host = value, problem();
    if (is_of_tls(flag)) return read_file_name(flag, value, to);
    if (is_of_sandbox(flag)) return read_sandbox(flag, value, o.sandbox);
    if (flag == "--listen") return o.listen.emplace_back(value), problem();
    if (flag == "--listen-proxied") return o.listen_proxied.emplace_back(value), problem();
    if (flag == "--admin") return o.admin = value, problem();
    if (flag == "--proxy") return o.proxies.emplace_back(value), problem();
    if (flag == "--crash-folder") return o.crash_folder = value, problem();
    if (flag == "--pid-file") return o.pid_file = value, problem();
    if (flag == "--port") return read_number<std::uint16_t>(flag, value, 0, 65535, o.port);
    if (flag == "--cores") return read_number<unsigned>(flag, value, 0, 1024, o.cores);
    std::int64_t count = 0;
    auto read = read_number<std::int64_t>(flag, value, 0, 86'400, count);
    if (read) (flag == "--drain" ? o.drain : o.readiness_grace) = seconds(count);
    return read;
}

// Options that take a value come first.
constexpr std::string_view all_options[] = {"--host",
                                            "--listen",
                                            "--listen-proxied",
                                            "--proxy",
                                            "--port",
                                            "--cores",
                                            "--drain",
                                            "--admin",
                                            "--pid-file",
                                            "--crash-folder",
                                            "--readiness-grace",
                                            "--certificate",
                                            "--key",
                                            "--ocsp",
                                            "--sandbox-read",
                                            "--sandbox-write",
                                            "--sandbox-exec",
                                            "--sandbox-connect",
                                            "--access-log",
                                            "--defer-accept",
                                            "--self-signed",
                                            "--routes",
                                            "--sandbox",
                                            "--sql-statements",
                                            "--help",
                                            "-h"};
constexpr std::size_t options_with_value = 18;
static_assert(all_options[options_with_value] == "--access-log");

std::unexpected<std::string> unknown(std::string_view argument, std::string_view option) {
    constexpr std::size_t longest = 128;
    const std::string_view near =
        is_option(option) || option.size() > longest ? std::string_view() : base::nearest(option, all_options);
    return std::unexpected("unknown option `" + std::string(argument) + "`" +
                           (near.empty() ? "" : "; did you mean `" + std::string(near) + "`?"));
}

}  // namespace

std::expected<command_line, std::string> read_command_line(int argc, char** argv, serve_options defaults) {
    command_line line{std::move(defaults)};
    bool listens = false;
    for (int i = 1; i < argc; ++i) {
        std::string_view arg = argv[i];
        auto equals = arg.find('=');
        auto flag = arg.substr(0, equals);
        if (!is_option(flag)) return unknown(arg, flag);
        if (arg == "--help" || arg == "-h") {
            line.wants_help = true;
        } else if (arg == "--routes") {
            line.wants_routes = true;
        } else if (arg == "--sql-statements") {  // for `apus db check`, so not in the usage
            line.wants_statements = true;
        } else if (arg == "--access-log") {
            line.options.access_log = true;
        } else if (arg == "--defer-accept") {
            line.options.defer_accept = true;
        } else if (arg == "--sandbox") {
            line.options.sandbox.mode = std::max(line.options.sandbox.mode, sandbox_mode::available);
        } else if (arg == "--sandbox=required") {
            line.options.sandbox.mode = sandbox_mode::required;
        } else if (arg == "--self-signed") {
            if (!line.options.tls) return std::unexpected("--self-signed: this program has no TLS");
            line.self_signs = true;
        } else if (!takes_value(flag)) {
            return unknown(arg, flag);
        } else {
            if (equals == arg.npos && ++i == argc) return std::unexpected(std::string(flag) + " needs a value");
            // The first address on the command line replaces the addresses of the program.
            const bool where = flag == "--host" || flag == "--port" || flag == "--listen";
            if (where && (flag != "--listen" || !std::exchange(listens, true))) line.options.listen.clear();
            auto read = read_one(flag, equals == arg.npos ? argv[i] : arg.substr(equals + 1), line);
            if (!read) return std::unexpected(read.error());
        }
    }
    return line;
}

std::span<const std::string_view> option_names() noexcept { return all_options; }

bool is_option(std::string_view name) noexcept { return std::ranges::find(all_options, name) != std::end(all_options); }

bool takes_value(std::string_view option) noexcept {
    return std::ranges::find(option_names().first(options_with_value), option) !=
           option_names().begin() + options_with_value;
}

std::string usage(const char* program, bool with_tls) {
    return "Usage: " + std::string(program) + " [options]\n\n" + options_usage(with_tls);
}

std::string options_usage(bool with_tls) {
    const char* const tls =
        "  --certificate FILE certificate chain in PEM, without the root; repeat for further names\n"
        "  --key FILE         key of the preceding certificate, in PEM (default: in the same file)\n"
        "  --ocsp FILE        OCSP response in DER to staple to the preceding certificate\n"
        "  --self-signed      create a certificate for development, in the named files if they are missing\n";
    return std::string("  --host ADDRESS     IPv4 or IPv6 address to listen on (127.0.0.1)\n") +
           "  --port NUMBER      port to listen on; 0 picks a free one (8080)\n"
           "  --listen WHERE     address instead of these: 127.0.0.1:8080, [::1]:8080, unix:/path; repeatable\n"
           "                     optionally a comma and the protocols: http/1.1, h2c, or h2 for https://\n"
           "  --listen-proxied WHERE  address for proxies that send PROXY headers; repeatable\n"
           "  --proxy NETWORK    address or network of these proxies; repeatable\n" +
           std::string(with_tls ? tls : "") +
           "  --defer-accept     accept a connection when its first bytes have arrived (TCP_DEFER_ACCEPT)\n"
           "  --cores NUMBER     number of threads; 0 means one per CPU (0)\n"
           "  --admin WHERE      private address for /livez, /readyz, /metrics and /debug: 127.0.0.1:9090\n"
           "  --readiness-grace SECONDS  time between unreadiness and draining when the server stops (0)\n"
           "  --drain SECONDS    time for requests in flight when the server stops (30)\n"
           "  --pid-file FILE    file for the process ID of the server, for `apus restart`\n"
           "  --crash-folder DIR existing folder for crash reports, for `apus crash`\n"
           "  --sandbox          confine the process to the files, ports and system calls that it needs;\n"
           "                     --sandbox=required: do not start if the kernel cannot do so completely\n"
           "  --sandbox-read PATH, --sandbox-write PATH, --sandbox-exec PATH\n"
           "                     file or folder to read, to read and write, or to execute in the sandbox; repeatable\n"
           "  --sandbox-connect PORT  TCP port to connect to in the sandbox, or unix for Unix sockets; repeatable\n"
           "  --access-log       log each response\n"
           "  --routes           list the routes and exit\n"
           "  --help             print this help\n\n"
           "Environment: APUS_IO=uring|epoll, APUS_LOG=trace|debug|info|warn|error|off.\n";
}

}  // namespace apus::server
