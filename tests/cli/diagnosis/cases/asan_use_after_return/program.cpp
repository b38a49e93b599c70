// SPDX-License-Identifier: Apache-2.0
int* same(int* p) { return p; }

int* last() {
    int n = 1;
    return same(&n);
}

int main() { return *last(); }
