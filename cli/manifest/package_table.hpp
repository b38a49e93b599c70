// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/manifest/document.hpp"

namespace apus::cli::manifest {

/// `[package.service]`: how systemd runs it.
struct service_table {
    std::string memory{};      ///< Of MemoryMax=, as "512M"; empty: no bound.
    long cpu = 0;              ///< Of CPUQuota=, in percent of one core; 0: no bound.
    long descriptors = 65536;  ///< Of LimitNOFILE=.
    long stop = 40;            ///< Seconds from SIGTERM to SIGKILL; a server takes up to 30 to drain.
    std::string restart = "on-failure";
    std::vector<std::string> lines{};  ///< Added to the section [Service] behind all others.
};

/// `[package.image]`: what the OCI image has.
struct image_table {
    std::string base = "scratch";         ///< Or "debian".
    std::string health{};                 ///< A path that answers 2xx while all is well; empty: no check.
    bool timezones = false;               ///< Whether /usr/share/zoneinfo is in it.
    std::vector<std::string> packages{};  ///< Of Debian, added to the base "debian".
};

/// `[package]`: what packages of it say and hold. Every key has a default but `maintainer`.
struct package_table {
    std::string name{};         ///< Of packages; empty: the project's, in small letters.
    std::string maintainer{};   ///< "Name <address>".
    std::string summary{};      ///< A line; empty: the project's description.
    std::string description{};  ///< Paragraphs; empty: the summary.
    std::string section = "web";
    std::string user{};  ///< Who runs it; empty: the package's name.
    std::string host = "127.0.0.1";
    long port = 8080;
    std::vector<std::string> arguments{};  ///< Behind --host and --port.
    std::vector<std::string> depends{};    ///< Packages beside those of the shared libraries.
    std::vector<std::string> config{};     ///< Files that go to /etc/NAME and that upgrades leave alone.
    /// That the program reads where it runs; none: `public` and `pages`, where they are.
    std::optional<std::vector<std::string>> folders{};
    /// From a file or folder of the project to an absolute path.
    std::vector<std::pair<std::string, std::string>> files{};
    std::string manual{};  ///< A manual page; empty: one is made.
    bool daemon = true;    ///< Whether there are a unit, a user and folders.
    service_table service{};
    image_table image{};
};

package_table read_package(table&& from);

}  // namespace apus::cli::manifest
