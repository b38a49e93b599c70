// SPDX-License-Identifier: Apache-2.0
struct todo {
    int id;
};

int open(const todo& t) { return t.state; }
