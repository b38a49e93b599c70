// SPDX-License-Identifier: Apache-2.0
// DATA names the folder of the data; by default that of this example, as seen from the root of the repository.
#include "arena/app.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>

int main(int argc, char** argv) {
    const char* folder = std::getenv("DATA");
    try {
        const arena::data data = arena::read_data(folder ? folder : "examples/arena");
        return apus::serve([&data] { return arena::make_app(data); }, argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "arena: %s\n", error.what());
        return 1;
    }
}
