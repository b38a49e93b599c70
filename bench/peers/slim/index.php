<?php
// SPDX-License-Identifier: Apache-2.0
declare(strict_types=1);

require 'Slim/autoload.php';
require __DIR__ . '/Message.php';
require __DIR__ . '/arena.php';

use Slim\Http\Request;
use Slim\Http\Response;

$routes = (int) getenv('ROUTES');
$app = new Slim\App(['settings' => [
    'displayErrorDetails' => false,
    'routerCacheFile' => getenv('OUT') . "/routes-$routes.php",
]]);

function text(Response $response, string $body): Response
{
    return $response->withHeader('Content-Type', 'text/plain')->write($body);
}

function hello(Request $request, Response $response): Response
{
    return text($response, 'Hello, World!');
}

$app->get('/bench', 'hello');
$app->get('/json', fn (Request $request, Response $response) =>
    $response->withJson(new Message('Hello, World!', 42, true)));
$app->get('/body/64k', fn (Request $request, Response $response) => text($response, str_repeat('x', 65536)));
$app->get('/body/1m', fn (Request $request, Response $response) => text($response, str_repeat('x', 1048576)));

$app->post('/upload', function (Request $request, Response $response) {
    $body = $request->getBody();
    $body->rewind();
    $bytes = 0;
    while (!$body->eof()) {
        $bytes += strlen($body->read(65536));
    }
    return text($response, (string) $bytes);
});

$middlewares = $app->get('/middlewares', 'hello');
for ($i = 0; $i < 10; $i++) {
    $middlewares->add(fn (Request $request, Response $response, callable $next) => $next($request, $response));
}

// FastRoute compares a fixed path with every pattern before it, so the fixed ones come first.
for ($i = 0; $i < $routes; $i += 2) {
    $app->get('/area' . $i % 100 . "/thing$i", 'hello');
}
for ($i = 1; $i < $routes; $i += 2) {
    $app->get('/area' . $i % 100 . "/thing$i/{id}", 'hello');
}

add_arena($app);
$app->run();
