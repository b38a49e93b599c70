// SPDX-License-Identifier: Apache-2.0
#include "app.hpp"

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
