// SPDX-License-Identifier: Apache-2.0
void show(long);
void show(double);

int main() { show(1); }
