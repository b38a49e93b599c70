// SPDX-License-Identifier: Apache-2.0
#include "app.hpp"

int main(int argc, char** argv) {
    links::store all;
    const apus::password_hasher passwords;
    return apus::serve([&] { return links::make_app(all, passwords); }, argc, argv);
}
