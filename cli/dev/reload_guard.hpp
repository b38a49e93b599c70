// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>

namespace apus::cli::dev {

/// Detects files that the program itself writes when a page is requested.
/// Each reload of the page would change such a file again and cause an endless loop of reloads. A file is detected
/// after `most` consecutive changes. Only a change within `soon` after a request counts, and only if the request
/// followed the previous reload.
class reload_guard {
public:
    using clock = std::chrono::steady_clock;
    static constexpr int most = 4;
    static constexpr auto soon = std::chrono::milliseconds(1000);

    /// Reaction to a change of files that are not part of the build.
    struct verdict {
        bool reloads = true;              ///< False if the program itself wrote all of the files.
        std::set<std::string> written{};  ///< The files that the program itself wrote.
    };

    /// `asked` is the time of the last request to the program.
    verdict changed(const std::set<std::string>& paths, clock::time_point asked, clock::time_point now);

private:
    std::map<std::string, int> consecutive_reloads_{};
    clock::time_point reloaded_{};
};

}  // namespace apus::cli::dev
