// SPDX-License-Identifier: Apache-2.0
#include "app.hpp"

int main(int argc, char** argv) {
    guestbook book;
    return apus::serve([&book] { return make_app(book); }, argc, argv);
}
