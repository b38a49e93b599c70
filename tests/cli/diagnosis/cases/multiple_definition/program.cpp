// SPDX-License-Identifier: Apache-2.0
#include "answer.hpp"

int other();

int main() { return answer() + other(); }
