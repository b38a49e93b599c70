// SPDX-License-Identifier: Apache-2.0
#include "cli/installation/installation.hpp"

#include <algorithm>
#include <string>

#include "cli/errors/failure.hpp"
#include "cli/system/files.hpp"

namespace apus::cli::installation {

namespace {

namespace fs = std::filesystem;

// Returns true if a path is a link into `folder`, which the installation created. All other files belong to the user.
bool leads_into(const fs::path& link, const fs::path& folder) {
    std::error_code none;
    if (!fs::is_symlink(link, none)) return false;
    const fs::path target = (link.parent_path() / fs::read_symlink(link, none)).lexically_normal();
    return target.string().starts_with((folder / "").string());
}

// Appends the links in the folders that shells and man(1) search.
void add_links_of_shells(std::vector<fs::path>& parts, const fs::path& prefix, const fs::path& sdks) {
    for (const char* folder :
         {"bash-completion/completions", "fish/vendor_completions.d", "man/man1", "zsh/site-functions"}) {
        std::error_code none;
        const auto before = static_cast<std::ptrdiff_t>(parts.size());
        for (const auto& each : fs::directory_iterator(prefix / "share" / folder, none))
            if (leads_into(each.path(), sdks)) parts.push_back(each.path());
        std::sort(parts.begin() + before, parts.end());
    }
}

}  // namespace

installation of_program(const fs::path& own) {
    const fs::path version = own.parent_path().parent_path(), sdks = version.parent_path();
    const fs::path prefix = sdks.parent_path().parent_path().parent_path();
    if (own.parent_path().filename() != "bin" || sdks != prefix / "lib/apus/sdk")
        throw errors::failure("E0519", "`" + own.string() + "` was not installed by `./apus install`",
                              "remove a package with its package manager; `./apus clean` removes a build folder");
    installation found{.prefix = prefix, .parts = {}};
    std::error_code none;
    if (leads_into(prefix / "bin/apus", sdks)) found.parts.push_back(prefix / "bin/apus");
    for (const char* file : {"apus-config.cmake", "apus-config-version.cmake"})
        if (const fs::path path = prefix / "lib/cmake/apus" / file;
            fs::exists(path, none) && system::read_file(path).contains("/apus/sdk/current/"))
            found.parts.push_back(path);
    add_links_of_shells(found.parts, prefix, sdks);
    found.parts.push_back(sdks);
    return found;
}

std::uintmax_t remove(const installation& what) {
    std::uintmax_t bytes = 0;
    for (const fs::path& part : what.parts) {
        bytes += system::remove_tree(part);
        std::error_code not_empty;  // the folder is kept if it is not empty or cannot be removed
        for (fs::path above = part.parent_path();
             above != what.prefix && above != what.prefix / "bin" && fs::remove(above, not_empty);
             above = above.parent_path())
            continue;
    }
    return bytes;
}

}  // namespace apus::cli::installation
