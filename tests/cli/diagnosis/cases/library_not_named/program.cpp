// SPDX-License-Identifier: Apache-2.0
int inner();
int outer();

int main() { return inner() + outer(); }
