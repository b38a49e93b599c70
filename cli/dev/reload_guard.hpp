// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>

namespace apus::cli::dev {

/// Finds the files that the program itself writes when a page is requested: each reload of the page would write them
/// again, and so on without end. A file is one of those after `most` reloads in a row, each because it changed within
/// `soon` of a request that came after the reload before.
class reload_guard {
public:
    using clock = std::chrono::steady_clock;
    static constexpr int most = 4;
    static constexpr auto soon = std::chrono::milliseconds(1000);

    /// What a change of files that nothing is built of means.
    struct verdict {
        bool reloads = true;              ///< A file is among them that people have changed, as far as one can tell.
        std::set<std::string> written{};  ///< Those that the program writes.
    };

    /// `asked` is when the program was last given a request.
    verdict changed(const std::set<std::string>& paths, clock::time_point asked, clock::time_point now);

private:
    std::map<std::string, int> in_a_row_{};
    clock::time_point reloaded_{};
};

}  // namespace apus::cli::dev
