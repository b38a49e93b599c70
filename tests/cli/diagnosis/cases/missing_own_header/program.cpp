// SPDX-License-Identifier: Apache-2.0
#include "todo_list.hpp"

int main() { return 0; }
