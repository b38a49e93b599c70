// SPDX-License-Identifier: Apache-2.0
// Of the application.
