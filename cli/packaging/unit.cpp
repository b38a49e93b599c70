// SPDX-License-Identifier: Apache-2.0
#include "cli/packaging/unit.hpp"

#include "base/ascii.hpp"

namespace apus::cli::packaging {

namespace {

// Denies system calls and access that servers do not need. Servers need io_uring, CPU affinity and descriptor limits,
// whose system calls are in @system-service. Servers do not need the system calls in @privileged.
constexpr std::string_view hardening = R"(
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
ProtectProc=invisible
ProcSubset=pid
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateMounts=yes
DevicePolicy=closed
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RemoveIPC=yes
KeyringMode=private
LockPersonality=yes
MemoryDenyWriteExecute=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
UMask=0027
)";

// Quotes a word for systemd.service(5), without specifiers and variables.
std::string word(std::string_view text) {
    std::string made;
    for (const char c : text) {
        if (c == '%' || c == '$') made += c;
        if (c == '"' || c == '\\') made += '\\';
        made += c;
    }
    return made.find_first_of(" \t'\";") == made.npos && !made.empty() ? made : "\"" + made + "\"";
}

std::string specifiers_escaped(std::string_view text) {
    std::string made;
    for (const char c : text) made.append(c == '%' ? 2 : 1, c);
    return made;
}

}  // namespace

std::vector<std::string> command_line(const product& of, std::string_view host) {
    std::vector<std::string> words{"--host", std::string(host), "--port", std::to_string(of.of.package.port)};
    words.insert(words.end(), of.of.package.arguments.begin(), of.of.package.arguments.end());
    return words;
}

std::string options_variable(const product& of) {
    std::string name;
    for (const char c : of.name) name += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 0x20 : c);
    return name + "_OPTIONS";
}

std::string unit(const product& of) {
    const manifest::service_table& service = of.of.package.service;
    std::string text =
        "[Unit]\nDescription=" + specifiers_escaped(of.summary) + "\nDocumentation=man:" + of.program + "(1)";
    if (!of.of.project.homepage.empty()) text.append(" ").append(specifiers_escaped(of.of.project.homepage));
    text.append(
            "\nAfter=network-online.target\nWants=network-online.target\n\n[Service]\nType=notify\nEnvironmentFile=-/"
            "etc/")
        .append(of.name)
        .append("/")
        .append(of.name);
    text.append(".env\nExecStart=/usr/bin/").append(of.program);
    for (const std::string& each : command_line(of, of.of.package.host)) text.append(" ").append(word(each));
    // In the folder of RuntimeDirectory, so only the service's user and root can connect.
    text.append(" --admin unix:/run/")
        .append(of.name)
        .append("/admin.sock $")
        .append(options_variable(of))
        .append("\nExecReload=/bin/kill -USR2 $MAINPID\nUser=")
        .append(of.user)
        .append("\nGroup=")
        .append(of.user);
    text.append("\nStateDirectory=")
        .append(of.name)
        .append("\nStateDirectoryMode=0750\nRuntimeDirectory=")
        .append(of.name);
    text.append("\nWorkingDirectory=").append(working_folder(of));
    text.append("\nRestart=")
        .append(service.restart)
        .append("\nRestartSec=1\nTimeoutStopSec=")
        .append(std::to_string(service.stop));
    text.append("\nLimitNOFILE=").append(std::to_string(service.descriptors)).append("\n");
    if (!service.memory.empty()) text.append("MemoryMax=").append(service.memory).append("\n");
    if (service.cpu) text.append("CPUQuota=").append(std::to_string(service.cpu)).append("%\n");
    text += hardening;
    if (of.of.package.port < 1024)
        text += "CapabilityBoundingSet=CAP_NET_BIND_SERVICE\nAmbientCapabilities=CAP_NET_BIND_SERVICE\n";
    else text += "CapabilityBoundingSet=\nPrivateUsers=yes\n";
    for (const std::string& line : service.lines) text.append(line).append("\n");
    return text + "\n[Install]\nWantedBy=multi-user.target\n";
}

std::string environment_file(const product& of) {
    return "# Environment of " + of.name + ".service. After a change, run: systemctl restart " + of.name +
           "\n#\n# Additional options, which override the options in the unit. To list all options, run: " +
           of.program + " --help\n" + options_variable(of) +
           "=\"\"\n#\n# Log level (trace, debug, info, warn, error, off) and format (logfmt, "
           "json).\n#APUS_LOG=info,json\n";
}

std::string users(const product& of) {
    std::string summary;
    for (const char c : of.summary) summary += c == '"' || c == ':' || c == '\\' ? '\'' : c;
    return "u " + of.user + " - \"" + specifiers_escaped(summary) + "\" /var/lib/" + of.name + "\n";
}

std::string folders(const product& of) { return "d /var/lib/" + of.name + " 0750 " + of.user + " " + of.user + "\n"; }

}  // namespace apus::cli::packaging
