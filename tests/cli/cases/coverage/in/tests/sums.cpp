// SPDX-License-Identifier: Apache-2.0
int sum(int a, int b);

int main() { return sum(1, 2) == 3 ? 0 : 1; }
