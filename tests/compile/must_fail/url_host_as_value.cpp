// SPDX-License-Identifier: Apache-2.0
// error: the host in the pattern of a URL cannot be a value
#include <apus/url.hpp>

std::string build(const std::string& name) {
#ifdef OK
    return apus::make_url("https://h/{name}", name);
#else
    return apus::make_url("https://h{name}", name);
#endif
}
