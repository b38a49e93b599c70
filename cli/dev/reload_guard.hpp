// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>

namespace apus::cli::dev {

/// Detects files that the program itself writes when a page is requested.
/// Each reload would change them again, in an endless loop. A file is detected if `most` reloads in a row were caused
/// by its changes, each within `soon` of the request after the previous reload.
class reload_guard {
public:
    using clock = std::chrono::steady_clock;
    static constexpr int most = 4;
    static constexpr auto soon = std::chrono::milliseconds(1000);

    /// Effect of a change of files that are not part of the build.
    struct verdict {
        bool reloads = true;              ///< False if the program wrote all of the files.
        std::set<std::string> written{};  ///< Files written by the program.
    };

    /// `asked`: time of the last request to the program.
    verdict changed(const std::set<std::string>& paths, clock::time_point asked, clock::time_point now);

private:
    std::map<std::string, int> in_a_row_{};
    clock::time_point reloaded_{};
};

}  // namespace apus::cli::dev
