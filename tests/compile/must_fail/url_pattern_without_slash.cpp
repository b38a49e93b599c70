// SPDX-License-Identifier: Apache-2.0
// error: the pattern of a URL must start with one '/', http://, https:// or a placeholder
#include <apus/url.hpp>

std::string build(const std::string& name) {
#ifdef OK
    return apus::make_url("/files/{name}", name);
#else
    return apus::make_url("files/{name}", name);
#endif
}
