// SPDX-License-Identifier: Apache-2.0
#include "arena/app.hpp"

int main(int argc, char** argv) {
    return apus::serve(arena::make_app, argc, argv);
}
