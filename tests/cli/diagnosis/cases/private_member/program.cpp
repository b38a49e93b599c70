// SPDX-License-Identifier: Apache-2.0
class counter {
    int n = 0;
};

int look(const counter& c) { return c.n; }
