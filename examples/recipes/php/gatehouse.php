<?php
// Sign-in with Gatehouse. Require this file first in every page; it answers /login, /auth/callback and /logout.

namespace Gatehouse;

const PROBLEMS = [
    'access_denied' => 'You cancelled the sign-in, so nothing was shared with this app.',
    'expired' => 'This sign-in took too long, was already used, or was started in another browser.',
    'login_failed' => 'The sign-in failed, or this app doesn’t accept the account that you chose.',
];

/** Of the folder with this file, which no web server may publish: put your pages into a folder below it. */
function setting(string $variable, string $name, string $file = '.service'): string {
    $text = is_file(__DIR__ . "/$file") ? file_get_contents(__DIR__ . "/$file") : '';
    return getenv($variable) ?: (preg_match("/^$name=(\S+)/m", $text, $found) ? $found[1] : '');
}

define('Gatehouse\TENANT', setting('GATEHOUSE_TENANT', 'tenant_id'));
define('Gatehouse\EDGE', setting('GATEHOUSE_URL', 'base_url') . '/edge/auth/' . TENANT);
define('Gatehouse\SECRET', setting('GATEHOUSE_SECRET', 'GATEHOUSE_SECRET', '.service.secret'));

function stop(int $status, string $text, string $location = ''): never {
    if ($location !== '') header("Location: $location");
    http_response_code($status);
    exit($text);
}

/** Sent again if there is no response: with the same Idempotency-Key, the service repeats its response. */
function call(string $action, array $body, string $key = ''): array {
    $key = $key ?: hash('sha256', json_encode($body));
    $options = ['method' => 'POST', 'header' => "Content-Type: application/json\r\nIdempotency-Key: $key\r\nConnection: close",
        'content' => json_encode($body), 'timeout' => 10, 'ignore_errors' => true, 'follow_location' => 0];
    for ($try = 0; $try < 2; $try++) {
        $response = @file_get_contents(EDGE . "/$action", false, stream_context_create(['http' => $options]));
        $result = is_string($response) ? json_decode($response, true) : null;
        if (is_array($result) && preg_match('# (200|400|401)\b#', $http_response_header[0] ?? '')) return $result;
    }
    stop(503, 'Sign-in isn’t available right now. Try again in a moment.'); // The cookies stay.
}

function base64url(string $bytes): string { return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '='); }

/** Where the user is: https, except on this machine. Set APP_URL behind a proxy that replaces the Host header. */
function origin(): string {
    $host = $_SERVER['HTTP_HOST'] ?? '';
    $local = preg_match('/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/D', $host);
    return getenv('APP_URL') ?: ($local ? 'http' : 'https') . "://$host";
}

/** No subdomain can set a __Host- cookie. Ports share cookies, so the names of local apps have the port. */
function prefix(): string { return str_starts_with(origin(), 'https:') ? '__Host-gh_' : 'gh_' . substr(strrchr(origin(), ':'), 1) . '_'; }

function cookie(string $name): string { return text($_COOKIE[prefix() . $name] ?? ''); }

/** PHP makes an array of a name with brackets. */
function text(mixed $value): string { return is_string($value) ? $value : ''; }

function keep(string $name, string $value, int $seconds = 2592000): void {
    setcookie(prefix() . $name, $value, ['expires' => $value === '' ? 1 : time() + $seconds, 'path' => '/',
        'secure' => str_starts_with(prefix(), '__Host-'), 'httponly' => true, 'samesite' => 'Lax']);
}

/** A path inside this app. Browsers take //evil.example and /\evil.example for another site. */
function inside(mixed $path): string {
    return strlen(text($path)) <= 1024 && preg_match('#^/([!-.0-\[\]-~][!-\[\]-~]*)?$#D', text($path)) ? $path : '/';
}

/** Requests of PHP share memory only with APCu: for ten seconds, then a sign-out at another server takes effect. */
function verify(string $token): ?array {
    if ($token === '') return null;
    $ask = fn() => call('verify', ['access_token' => $token])['user'] ?? null;
    return function_exists('apcu_enabled') && apcu_enabled() ? apcu_entry('gatehouse ' . hash('sha256', $token), $ask, 10) : $ask();
}

/** An array with id, email, name and picture, or null. Refreshes an expired session: call it before any output. */
function user(): ?array {
    static $user = false;
    if ($user !== false) return $user;
    header('Cache-Control: no-store');
    [$access, $token, $bind] = explode('~', cookie('session') . '~~');
    $user = verify($access);
    if ($user !== null || $token === '') return $user;
    // Requests at the same time derive the same key, in every process: the service refreshes once, for all of them.
    $mac = hash_hmac('sha256', TENANT . "\0$bind\0$token", SECRET ?: $bind);
    $pair = call('refresh', ['refresh_token' => $token], SECRET ? "gh1_$mac" : $mac);
    if (isset($pair['access_token'])) keep('session', "{$pair['access_token']}~{$pair['refresh_token']}~$bind");
    // If it was superseded, another response sets the new cookie.
    elseif ($pair['error']['code'] !== 'refreshTokenSuperseded') keep('session', '');
    return $user = verify($pair['access_token'] ?? '');
}

/** For pages of signed-in users. */
function requireUser(): array { return user() ?? stop(303, '', '/login?return_to=' . urlencode($_SERVER['REQUEST_URI'])); }

function login(string $back): never {
    $verifier = base64url(random_bytes(32));
    $challenge = base64url(hash('sha256', $verifier, true));
    keep('login_' . substr($challenge, 0, 8), $verifier, 900); // The code contains these characters: only this browser can use it.
    stop(303, '', EDGE . '/google?' . http_build_query(['redirect_uri' => origin() . '/auth/callback', 'return_to' => $back,
        'response_type' => 'code', 'code_challenge' => $challenge, 'code_challenge_method' => 'S256']));
}

function callback(string $back): never {
    if (isset($_GET['error'])) showProblem($_GET['error'], urlencode($back));
    $code = text($_GET['code'] ?? '');
    $verifier = cookie('login_' . substr($code, 7, 8));
    $pair = $verifier === '' ? [] : call('token', ['code' => $code, 'code_verifier' => $verifier]);
    if (!isset($pair['access_token'])) stop(303, '', '/auth/callback?error=expired&return_to=' . urlencode($back));
    keep('login_' . substr($code, 7, 8), '');
    keep('session', "{$pair['access_token']}~{$pair['refresh_token']}~" . base64url(random_bytes(16)));
    stop(303, '', $back);
}

function showProblem(mixed $error, string $again): never {
    $logins = array_filter(array_keys($_COOKIE), fn($name) => str_starts_with($name, prefix() . 'login_'));
    if (count($logins) === 1) keep(substr(reset($logins), strlen(prefix())), ''); // With more, those in other tabs go on.
    $text = PROBLEMS[text($error)] ?? PROBLEMS['login_failed'];
    stop(200, '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="robots" content="noindex">' .
        "<title>You’re not signed in</title><h1>You’re not signed in</h1><p>$text</p>" .
        "<p><a href=\"/login?return_to=$again\">Sign in again</a> <a href=\"/\">Go to the start page</a></p></html>");
}

function logout(): never {
    [$access, $token] = explode('~', cookie('session') . '~');
    if (function_exists('apcu_delete')) apcu_delete('gatehouse ' . hash('sha256', $access));
    keep('session', '');
    if ($token !== '') call('logout', ['refresh_token' => $token]);
    stop(303, '', '/');
}

if (!preg_match('#^https?://.+/edge/auth/.#', EDGE)) stop(500, 'There is no .service beside gatehouse.php, and no GATEHOUSE_URL.');
$same = ($_SERVER['HTTP_SEC_FETCH_SITE'] ?? '') === 'same-origin' || ($_SERVER['HTTP_ORIGIN'] ?? '') === origin();
$reads = in_array($_SERVER['REQUEST_METHOD'], ['GET', 'HEAD', 'OPTIONS'], true) || cookie('session') === '';
if (!$reads && !$same) stop(403, 'This request comes from another site.');
match ($_SERVER['REQUEST_METHOD'] . ' ' . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
    'GET /login' => login(inside($_GET['return_to'] ?? '')),
    'GET /auth/callback' => callback(inside($_GET['return_to'] ?? '')),
    'POST /logout' => logout(),
    default => null,
};
