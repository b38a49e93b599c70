// SPDX-License-Identifier: Apache-2.0
#include <string>
std::string name() { return "a"; }
