// SPDX-License-Identifier: Apache-2.0
// error: a value of a URL must be text, an integer, a bool or apus::query(struct)
#include <apus/url.hpp>

std::string build(const std::string& name) {
#ifdef OK
    return apus::make_url("/files/{}", name);
#else
    return apus::make_url("/files/{}", &name);
#endif
}
