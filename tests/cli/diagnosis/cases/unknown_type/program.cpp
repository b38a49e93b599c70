// SPDX-License-Identifier: Apache-2.0
todo_list all;
int main() { return 0; }
