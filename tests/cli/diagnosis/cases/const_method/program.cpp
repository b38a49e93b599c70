// SPDX-License-Identifier: Apache-2.0
struct counter {
    int next() { return ++n; }
    int n = 0;
};

int look(const counter& c) { return c.next(); }
