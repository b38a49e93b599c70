// SPDX-License-Identifier: Apache-2.0
#include "showcase/app.hpp"

#include <cstdlib>

int main(int argc, char** argv) {
    // A secret comes from outside, and is never a default in the code.
    const char* token = std::getenv("ADMIN_TOKEN");
    const std::string admin_token = token ? token : "";
    const auto shared = std::make_shared<showcase::notes>();
    return apus::serve([&] { return showcase::make_app(admin_token, shared); }, argc, argv);
}
