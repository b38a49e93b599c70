// SPDX-License-Identifier: Apache-2.0
int depth(int n) { return n == 0 ? 0 : 1 + depth(n + 1); }

int main() { return depth(1); }
