// SPDX-License-Identifier: Apache-2.0
// error: unmatched '{' in the pattern of a URL
#include <apus/url.hpp>

std::string build(const std::string& name) {
#ifdef OK
    return apus::make_url("/files/{name}", name);
#else
    return apus::make_url("/files/{name", name);
#endif
}
