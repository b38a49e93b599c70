// SPDX-License-Identifier: Apache-2.0
#include "cli/dev/reload_guard.hpp"

namespace apus::cli::dev {

reload_guard::verdict reload_guard::changed(const std::set<std::string>& paths, clock::time_point asked,
                                            clock::time_point now) {
    verdict made{.reloads = paths.empty()};
    const bool by_request = asked > reloaded_ && now - asked <= soon;
    for (const std::string& path : paths) {
        int& count = consecutive_reloads_[path];
        count = by_request ? count + 1 : 0;
        if (count >= most) made.written.insert(path);
        else made.reloads = true;
    }
    if (made.reloads) reloaded_ = now;
    return made;
}

}  // namespace apus::cli::dev
