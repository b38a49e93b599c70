// SPDX-License-Identifier: Apache-2.0
#include <yaml-cpp/yaml.h>

int main() { return 0; }
