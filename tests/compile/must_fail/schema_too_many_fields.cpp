// SPDX-License-Identifier: Apache-2.0
// error: an aggregate in a schema must not have more than 64 fields: move some into a nested struct
#include <apus/json.hpp>

struct many {
    int a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7, c0, c1, c2, c3, c4, c5, c6, c7, d0, d1, d2, d3, d4, d5, d6, d7;
    int e0, e1, e2, e3, e4, e5, e6, e7, f0, f1, f2, f3, f4, f5, f6, f7, g0, g1, g2, g3, g4, g5, g6, g7, h0, h1, h2, h3, h4, h5, h6, h7;
#ifndef OK
    int one_more;
#endif
};

std::string print(const many& value) { return apus::to_json(value); }
