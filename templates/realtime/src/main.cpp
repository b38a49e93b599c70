// SPDX-License-Identifier: Apache-2.0
#include "app.hpp"

int main(int argc, char** argv) {
    apus::hub rooms;
    return apus::serve([&rooms] { return make_app(rooms); }, argc, argv);
}
