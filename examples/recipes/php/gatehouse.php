<?php
// Sign-in with Gatehouse. Require this file first in every page; it answers /login, /auth/callback and /logout.

namespace Gatehouse;

const PROBLEMS = [
    'access_denied' => 'You cancelled the sign-in, so nothing was shared with this app.',
    'expired' => 'This sign-in took too long, was already used, or was started in another browser.',
    'login_failed' => 'The sign-in failed, or this app doesn’t accept the account that you chose.',
];
const CACHE_SECONDS = 10; // A sign-out at another server takes effect after at most this time.

function setting(string $variable, string $name, string $file): string {
    $text = is_file($file) ? file_get_contents($file) : '';
    return getenv($variable) ?: (preg_match("/^$name=(\S+)/m", $text, $found) ? $found[1] : '');
}

/** Of the folder with this file, which no web server may publish: put your pages into a folder below it. */
define('Gatehouse\SERVICE', setting('GATEHOUSE_URL', 'base_url', __DIR__ . '/.service'));
define('Gatehouse\TENANT', setting('GATEHOUSE_TENANT', 'tenant_id', __DIR__ . '/.service'));
define('Gatehouse\SECRET', setting('GATEHOUSE_SECRET', 'GATEHOUSE_SECRET', __DIR__ . '/.service.secret'));
define('Gatehouse\EDGE', SERVICE . '/edge/auth/' . TENANT);

function stop(int $status, string $text): never {
    http_response_code($status);
    exit($text);
}

/** Sent again if there is no response: with the same Idempotency-Key, the service repeats its response. */
function call(string $action, array $body, string $key = ''): array {
    $key = $key ?: random();
    $options = ['method' => 'POST', 'header' => "Content-Type: application/json\r\nIdempotency-Key: $key\r\nConnection: close",
        'content' => json_encode($body), 'timeout' => 10, 'ignore_errors' => true, 'follow_location' => 0];
    for ($try = 0; $try < 2; $try++) {
        $response = @file_get_contents(EDGE . "/$action", false, stream_context_create(['http' => $options]));
        $result = is_string($response) ? json_decode($response, true) : null;
        if (is_array($result) && preg_match('# (200|400|401)\b#', $http_response_header[0] ?? '')) return $result;
    }
    stop(503, 'Sign-in isn’t available right now. Try again in a moment.'); // The cookies stay.
}

function base64url(string $bytes): string {
    return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
}

function random(int $bytes = 32): string {
    return base64url(random_bytes($bytes));
}

/** Where the user is: https, except on this machine. Set APP_URL behind a proxy that replaces the Host header. */
function origin(): string {
    $host = $_SERVER['HTTP_HOST'] ?? '';
    $local = preg_match('/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/D', $host);
    return getenv('APP_URL') ?: ($local ? 'http' : 'https') . "://$host";
}

/** No subdomain can set a __Host- cookie. Ports share cookies, so the names of local apps have the port. */
function prefix(): string {
    return str_starts_with(origin(), 'https:') ? '__Host-gh_' : 'gh_' . substr(strrchr(origin(), ':'), 1) . '_';
}

function cookie(string $name): string {
    $value = $_COOKIE[prefix() . $name] ?? '';
    return is_string($value) ? $value : '';
}

function keep(string $name, string $value, int $seconds): void {
    setcookie(prefix() . $name, $value, ['expires' => $value === '' ? 1 : time() + $seconds, 'path' => '/',
        'secure' => str_starts_with(origin(), 'https:'), 'httponly' => true, 'samesite' => 'Lax']);
}

function keepSession(array $pair, string $bind): void {
    keep('access', $pair['access_token'] ?? '', 3600);
    keep('refresh', $pair['refresh_token'] ?? '', 2592000);
    keep('bind', $bind, 2592000);
}

/** A path inside this app. Browsers take //evil.example and /\evil.example for another site. */
function inside(mixed $path): string {
    $isInside = is_string($path) && strlen($path) <= 1024 && preg_match('#^/([!-.0-\[\]-~][!-\[\]-~]*)?$#D', $path);
    return $isInside ? $path : '/';
}

function redirect(string $location): never {
    header("Location: $location", true, 303);
    exit;
}

/** Requests of PHP share memory only with APCu; without it, every request asks the service. */
function verify(string $token): ?array {
    $cache = function_exists('apcu_enabled') && apcu_enabled();
    $key = 'gatehouse ' . hash('sha256', $token);
    if ($token === '' || ($cache && apcu_exists($key))) return $token === '' ? null : (apcu_fetch($key) ?: null);
    $user = call('verify', ['access_token' => $token])['user'] ?? null;
    if ($cache) apcu_store($key, $user, CACHE_SECONDS);
    return $user;
}

/** Requests at the same time derive the same key: the service refreshes once, and all of them get the same pair. */
function refresh(string $token, string $bind): array {
    $mac = hash_hmac('sha256', TENANT . "\0$bind\0$token", SECRET ?: $bind, true);
    return call('refresh', ['refresh_token' => $token], (SECRET ? 'gh1_' : '') . base64url($mac));
}

/** An array with id, email, name and picture, or null. Refreshes an expired session: call it before any output. */
function user(): ?array {
    static $user = false;
    if ($user !== false) return $user;
    header('Cache-Control: no-store');
    $user = verify(cookie('access'));
    if ($user !== null || cookie('refresh') === '') return $user;
    $bind = cookie('bind') ?: random(16);
    $pair = refresh(cookie('refresh'), $bind);
    if (isset($pair['access_token'])) {
        keepSession($pair, $bind);
        $user = verify($pair['access_token']);
    } elseif ($pair['error']['code'] !== 'refreshTokenSuperseded') { // Then another response sets the new cookies.
        keepSession([], '');
    }
    return $user;
}

/** For pages of signed-in users. */
function requireUser(): array {
    return user() ?? redirect('/login?return_to=' . urlencode($_SERVER['REQUEST_URI']));
}

function login(): never {
    $verifier = random();
    $challenge = base64url(hash('sha256', $verifier, true));
    keep('login_' . substr($challenge, 0, 8), $verifier, 900); // The code contains these characters: only this browser can use it.
    redirect(EDGE . '/google?' . http_build_query(['redirect_uri' => origin() . '/auth/callback',
        'return_to' => inside($_GET['return_to'] ?? ''), 'response_type' => 'code',
        'code_challenge' => $challenge, 'code_challenge_method' => 'S256']));
}

function callback(): never {
    $code = is_string($_GET['code'] ?? null) ? $_GET['code'] : '';
    $back = inside($_GET['return_to'] ?? '');
    if (isset($_GET['error'])) showProblem($_GET['error'], $back);
    $name = 'login_' . substr($code, 7, 8);
    $verifier = cookie($name);
    $key = base64url(hash('sha256', "exchange $verifier", true));
    $pair = $verifier === '' ? [] : call('token', ['code' => $code, 'code_verifier' => $verifier], $key);
    if (!isset($pair['access_token'])) redirect('/auth/callback?error=expired&return_to=' . urlencode($back));
    keep($name, '', 0);
    keepSession($pair, random(16));
    redirect($back);
}

function showProblem(mixed $error, string $back): never {
    $logins = array_filter(array_keys($_COOKIE), fn($name) => str_starts_with($name, prefix() . 'login_'));
    // With more, those in other tabs go on.
    if (count($logins) === 1) keep(substr(reset($logins), strlen(prefix())), '', 0);
    $text = PROBLEMS[is_string($error) ? $error : ''] ?? PROBLEMS['login_failed'];
    $back = htmlspecialchars($back);
    exit(<<<HTML
        <!doctype html><html lang="en"><meta charset="utf-8"><meta name="robots" content="noindex"><title>You’re not signed in</title>
        <h1>You’re not signed in</h1><p>$text</p><form action="/login"><input type="hidden" name="return_to"
        value="$back"><button>Sign in again</button></form><a href="/">Go to the start page</a></html>
        HTML);
}

function logout(): never {
    if (function_exists('apcu_delete')) apcu_delete('gatehouse ' . hash('sha256', cookie('access')));
    keepSession([], '');
    if (cookie('refresh') !== '') call('logout', ['refresh_token' => cookie('refresh')]);
    redirect('/');
}

if (SERVICE === '' || TENANT === '') stop(500, 'There is no .service beside gatehouse.php, and GATEHOUSE_URL and GATEHOUSE_TENANT are not set.');
$same = ($_SERVER['HTTP_SEC_FETCH_SITE'] ?? '') === 'same-origin' || ($_SERVER['HTTP_ORIGIN'] ?? '') === origin();
$reads = in_array($_SERVER['REQUEST_METHOD'], ['GET', 'HEAD', 'OPTIONS'], true);
if (!$reads && cookie('refresh') !== '' && !$same) stop(403, 'This request comes from another site.');
match ($_SERVER['REQUEST_METHOD'] . ' ' . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
    'GET /login' => login(),
    'GET /auth/callback' => callback(),
    'POST /logout' => logout(),
    default => null,
};
