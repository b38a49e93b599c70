// SPDX-License-Identifier: Apache-2.0
#include <apus/environment.hpp>

#include <cstdlib>
#include <stdexcept>

namespace apus {

std::string detail::environment_value(const char* name, std::string_view otherwise) {
    const char* const value = std::getenv(name);
    return std::string(value && *value ? std::string_view(value) : otherwise);
}

void detail::rethrow_with_variable(const char* name) {
    try {
        throw;
    } catch (const std::invalid_argument& why) {
        throw std::invalid_argument(std::string(name) + ": " + why.what());
    }
}

}  // namespace apus
