// SPDX-License-Identifier: Apache-2.0
#include <memory>

void keep(std::unique_ptr<int>);

void both(std::unique_ptr<int> p) { keep(p); }
