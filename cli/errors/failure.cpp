// SPDX-License-Identifier: Apache-2.0
#include "cli/errors/failure.hpp"

#include <cerrno>
#include <system_error>

namespace apus::cli::errors {

failure system_failure(std::string_view what, int error) {
    std::string message(what);
    message.append(": ").append(std::generic_category().message(error));
    switch (error) {
        case ENOSPC:
        case EDQUOT: return {"E0104", message, "free space on the disk; `apus doctor` shows the available space"};
        case EACCES:
        case EPERM:
        case EROFS: return {"E0105", message, "check the permissions with `ls -ld`"};
        default: return {"E0106", message};
    }
}

}  // namespace apus::cli::errors
