// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/doctor/finding.hpp"
#include "cli/doctor/machine.hpp"
#include "cli/manifest/manifest.hpp"

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::doctor {

/// Checks whether a machine can build programs with Apus and run them.
/// Skips a check if the property is unknown, such as the clock state of a system that does not run.
findings examine(const machine&);

/// Runs the checks for production: limits with higher thresholds than in `examine`, and the host.
/// `service` is the name of a systemd unit without ".service"; if empty, the checks of the unit are skipped.
findings examine_production(const machine&, std::string_view service);

/// Checks whether a certificate has expired or expires soon.
/// `end` is the output of `openssl x509 -enddate`: "notAfter=Nov 22 14:00:00 2027 GMT".
finding examine_certificate(std::string_view file, std::string_view end, std::time_t now);

/// Checks the certificate in `[deploy]`: expiry, names, key match and key permissions.
/// Relative paths are relative to `project`. Runs openssl(1).
findings examine_certificates(const machine&, const manifest::deploy_table&, const std::filesystem::path& project,
                              std::time_t now);

/// Returns the output of `openssl x509` for a certificate. `what` are options, such as `-enddate`.
std::string ask_openssl(const std::filesystem::path& certificate, std::vector<std::string> what);

/// A lower bound for a kernel parameter (`name` as in sysctl), with the reason.
struct mark {
    std::string_view about, name;
    std::uint64_t least;
    std::string_view why;
};

/// These functions append their findings to a list.
void examine_mark(const machine&, findings&, const mark&);
void examine_tools(const machine&, findings&);
void examine_kernel(const machine&, findings&);
void examine_environment(const machine&, findings&);

}  // namespace apus::cli::doctor
