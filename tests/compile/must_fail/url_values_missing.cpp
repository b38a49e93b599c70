// SPDX-License-Identifier: Apache-2.0
// error: the pattern of a URL has another number of placeholders than there are values
#include <apus/url.hpp>

std::string build(const std::string& name) {
#ifdef OK
    return apus::make_url("/files/{name}/{part}", name, 1);
#else
    return apus::make_url("/files/{name}/{part}", name);
#endif
}
