// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/manifest/document.hpp"

namespace apus::cli::manifest {

/// `[package.service]`: options of the systemd unit.
struct service_table {
    std::string memory{};      ///< MemoryMax=, such as "512M"; empty: unlimited.
    long cpu = 0;              ///< CPUQuota=, in percent of one core; 0: unlimited.
    long descriptors = 65536;  ///< LimitNOFILE=.
    long stop = 40;            ///< Seconds between SIGTERM and SIGKILL. A server drains for up to 30 s.
    std::string restart = "on-failure";
    std::vector<std::string> lines{};  ///< Lines appended to the section [Service].
};

/// `[package.image]`: options of the OCI image.
struct image_table {
    std::string base = "scratch";         ///< "scratch" or "debian".
    std::string health{};                 ///< Path that returns 2xx if the service is healthy; empty: no check.
    bool timezones = false;               ///< Whether the image contains /usr/share/zoneinfo.
    std::vector<std::string> packages{};  ///< Debian packages, added to the base "debian".
};

/// `[package]`: metadata and contents of packages. Every key except `maintainer` has a default.
struct package_table {
    std::string name{};         ///< Name of the packages; empty: the project's, in lower case.
    std::string maintainer{};   ///< "Name <address>".
    std::string summary{};      ///< One line; empty: the project's description.
    std::string description{};  ///< Paragraphs; empty: the summary.
    std::string section = "web";
    std::string user{};  ///< User of the service; empty: the package's name.
    std::string host = "127.0.0.1";
    long port = 8080;
    std::vector<std::string> arguments{};  ///< Arguments after --host and --port.
    std::vector<std::string> depends{};    ///< Dependencies in addition to the packages of shared libraries.
    std::vector<std::string> config{};     ///< Files installed to /etc/NAME, which upgrades do not replace.
    /// Folders that the program reads from its working directory.
    /// If not set: `public` and `pages`, if they exist.
    std::optional<std::vector<std::string>> folders{};
    /// Pairs of a file or folder of the project and the absolute path at which it is installed.
    std::vector<std::pair<std::string, std::string>> files{};
    std::string manual{};  ///< Manual page; empty: a generated page.
    bool daemon = true;    ///< Whether to install a systemd unit, a user and folders.
    service_table service{};
    image_table image{};
};

package_table read_package(table&& from);

}  // namespace apus::cli::manifest
