<?php
// SPDX-License-Identifier: Apache-2.0
declare(strict_types=1);

use Slim\Http\Request;
use Slim\Http\Response;

function add_up(Request $request, Response $response): Response
{
    $total = (int) $request->getQueryParam('a') + (int) $request->getQueryParam('b');
    if ($request->isPost()) {
        $total += (int) (string) $request->getBody();
    }
    return text($response, (string) $total);
}

function first_items(Request $request, Response $response, array $arguments): Response
{
    $m = (int) $request->getQueryParam('m', '1');
    $all = json_decode(file_get_contents(getenv('DATA') . '/dataset.json'), true);
    $chosen = array_map(
        fn (array $item) => $item + ['total' => $item['price'] * $item['quantity'] * $m],
        array_slice($all, 0, (int) $arguments['count']),
    );
    return $response->withJson(['items' => $chosen, 'count' => count($chosen)]);
}

function add_arena(Slim\App $app): void
{
    $app->map(['GET', 'POST'], '/baseline11', 'add_up');
    if (is_file(getenv('DATA') . '/dataset.json')) {
        $app->get('/json/{count}', 'first_items');
    }
}
