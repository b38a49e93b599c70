// SPDX-License-Identifier: Apache-2.0
// error: the number of values differs from the number of placeholders of the URL pattern
#include <apus/url.hpp>

std::string build(const std::string& name) {
#ifdef OK
    return apus::make_url("/files/{name}/{part}", name, 1);
#else
    return apus::make_url("/files/{name}/{part}", name);
#endif
}
