// SPDX-License-Identifier: Apache-2.0
int* made() { return new int(1); }

int main() { return *made() - 1; }
