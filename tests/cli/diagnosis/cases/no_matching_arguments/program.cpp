// SPDX-License-Identifier: Apache-2.0
int add(int a, int b) { return a + b; }

int main() { return add(1); }
