// SPDX-License-Identifier: Apache-2.0
int next(int n) { return n + 1; }

int main() { return next(2147483647) == 0; }
