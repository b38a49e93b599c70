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

/// Whether a machine can build programs with Apus and run them. What cannot be known of it, such as the
/// clock of another root, is left out.
findings examine(const machine&);

/// Whether a machine can serve: the same limits with higher marks, and what only a host has.
/// `service` is the name of a systemd unit without ".service"; empty: of none.
findings examine_production(const machine&, std::string_view service);

/// A certificate whose end is as `openssl x509 -enddate` prints it, "notAfter=Nov 22 14:00:00 2027 GMT".
finding examine_certificate(std::string_view file, std::string_view end, std::time_t now);

/// The certificate that a project's `[deploy]` names: its end, whether it is for the names, whether the key is its own
/// and nobody else may read it. `project` is the folder that relative paths start from. Asks openssl(1).
findings examine_certificates(const machine&, const manifest::deploy_table&, const std::filesystem::path& project,
                              std::time_t now);

/// What `openssl x509` prints of a certificate when it is asked so: `-enddate`, `-pubkey`.
std::string ask_openssl(const std::filesystem::path& certificate, std::vector<std::string> what);

/// A number of the kernel (`name` as sysctl has it) that is better not less than `least`, since `why`.
struct mark {
    std::string_view about, name;
    std::uint64_t least;
    std::string_view why;
};

/// Parts of the above, which add to a list.
void examine_mark(const machine&, findings&, const mark&);
void examine_tools(const machine&, findings&);
void examine_kernel(const machine&, findings&);
void examine_surroundings(const machine&, findings&);

}  // namespace apus::cli::doctor
