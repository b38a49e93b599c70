<?php
// SPDX-License-Identifier: Apache-2.0
declare(strict_types=1);

final class Message
{
    public function __construct(
        public readonly string $message,
        public readonly int $id,
        public readonly bool $ok,
    ) {
    }
}
