// SPDX-License-Identifier: Apache-2.0
#include <apus/json.hpp>
#include <string>

#include "../web/page.hpp"
#include "web/page.hpp"
// #include "web/page.hpp"

int notes() { return 1; }
