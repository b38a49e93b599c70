// SPDX-License-Identifier: Apache-2.0
int sum(int a, int b) {
    if (a == 0) {
        return b;
    }
    return a + b;
}

int unused() {  // is not called
    return 1;
}
