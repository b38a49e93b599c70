// SPDX-License-Identifier: Apache-2.0
#include "app.hpp"

int main(int argc, char** argv) {
    notes store;
    return apus::serve([&store] { return make_app(store); }, argc, argv);
}
