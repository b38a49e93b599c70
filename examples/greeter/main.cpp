// SPDX-License-Identifier: Apache-2.0
#include "greeter/app.hpp"

int main(int argc, char** argv) { return apus::serve(greeter::make_app, argc, argv); }
