<?php
// Sign-in with Gatehouse. Require this file first in every page; it answers /login, /auth/callback and /logout.

namespace Gatehouse;

const PROBLEMS = [
    'access_denied' => 'You cancelled the sign-in, so nothing was shared with this app.',
    'expired' => 'This sign-in took too long, was already used, or was started in another browser.',
    'login_failed' => 'The sign-in failed, or this app doesn’t accept the account that you chose.',
];

const SIGNED_OUT = '{"error":{"code":"signedOut","message":"Sign in first.","login":"/login"}}';

/**
 * Of a file beside this one, or up to two folders above. No web server may publish these folders: put your pages into a
 * folder below.
 */
function setting(string $variable, string $name, string $file = '.service'): string {
    $text = '';
    foreach (['../..', '..', '.'] as $folder) { // The nearest wins.
        $text = @file_get_contents(__DIR__ . "/$folder/$file") ?: $text;
    }
    return getenv($variable) ?: (preg_match("/^$name=(\S+)/m", $text, $found) ? $found[1] : '');
}

define('Gatehouse\TENANT', setting('GATEHOUSE_TENANT', 'tenant_id'));
define('Gatehouse\EDGE', rtrim(setting('GATEHOUSE_URL', 'base_url'), '/') . '/edge/auth/' . TENANT);
define('Gatehouse\SECRET', setting('GATEHOUSE_SECRET', 'GATEHOUSE_SECRET', '.service.secret'));

function stop(int $status, string $text, string $location = ''): never {
    if ($location !== '') header("Location: $location");
    http_response_code($status);
    exit($text);
}

/** Sent again if there is no response: with the same Idempotency-Key, the service repeats its response. */
function call(string $action, array $body, string $key = ''): array {
    $options = ['method' => 'POST', 'content' => json_encode($body), 'timeout' => 10, 'ignore_errors' => true,
        'header' => "Content-Type: application/json\r\nIdempotency-Key: " . ($key ?: hash('sha256', implode($body)))];
    for ($try = 0; $try < 2; $try++) {
        $stream = @fopen(EDGE . "/$action", 'r', false, stream_context_create(['http' => $options]));
        $result = $stream ? json_decode((string) @stream_get_contents($stream), true) : null;
        if ($result && preg_match('# (200|400|401)#', stream_get_meta_data($stream)['wrapper_data'][0])) return $result;
    }
    stop(503, 'Sign-in isn’t available right now. Try again in a moment.'); // The cookies stay.
}

/**
 * Requests share for ten seconds what the service confirmed, and simultaneous ones a call. A refusal isn't kept: made-up
 * cookies would fill the memory. PHP shares memory only with APCu: without it, each request makes its call, and those that
 * refresh have the same key, so the service refreshes once.
 */
function remember(string $token, callable $ask): ?array {
    if (!function_exists('apcu_enabled') || !apcu_enabled()) return $ask();
    $lock = ($key = 'gatehouse ' . hash('sha256', $token)) . ' lock';
    // Per token: apcu_entry locks all of APCu during the call, so a slow one would block every user.
    if (apcu_add($lock, true, 20)) register_shutdown_function(fn() => apcu_delete($lock)); // stop() ends a call.
    else while (!apcu_exists($key) && apcu_exists($lock)) usleep(10_000);
    if ($found = apcu_fetch($key)) return $found;
    $result = $ask();
    if ($result && !isset($result['error'])) apcu_store($key, $result, 10);
    apcu_delete($lock);
    return $result;
}

/** After ten seconds, a sign-out at another server takes effect. */
function verify(string $token): ?array {
    return $token ? remember($token, fn() => call('verify', ['access_token' => $token])['user'] ?? null) : null;
}

/** Where the user is: https, except on this machine. Set APP_URL if a proxy replaces the Host header. */
function origin(): string {
    $local = preg_match('/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/D', $host = $_SERVER['HTTP_HOST'] ?? '');
    return rtrim((string) getenv('APP_URL'), '/') ?: ($local ? 'http' : 'https') . "://$host";
}

/** No subdomain can set a __Host- cookie. Ports share cookies, so names of local apps have the port. */
function prefix(): string {
    return preg_match('/^http:(.*:(\d+)$)?/', origin(), $port) ? 'gh_' . ($port[2] ?? 80) . '_' : '__Host-gh_';
}

/** Not $_GET, where a name with brackets is an array. */
function query(string $name): string { return filter_input(INPUT_GET, $name) ?: ''; }

function cookie(string $name): string { return filter_input(INPUT_COOKIE, prefix() . $name) ?: ''; }

function keep(string $name, string $value, int $seconds = 2592000): void {
    setcookie(prefix() . $name, $value, ['expires' => $value === '' ? 1 : time() + $seconds, 'path' => '/',
        'secure' => str_starts_with(prefix(), '__Host-'), 'httponly' => true, 'samesite' => 'Lax']);
}

/** Each token in a cookie that lives as long as it does. $bind is random text for the keys of refreshes. */
function keepSession(array $pair, string $bind): void {
    keep('access', $pair['access_token'], 3600);
    keep('refresh', "{$pair['refresh_token']}~$bind");
}

function dropSession(): void {
    keep('access', '');
    keep('refresh', '');
}

function hasSession(): bool { return cookie('access') . cookie('refresh') !== ''; }

/** A path inside this app. For browsers, //evil.example and /\evil.example are another site. */
function inside(string $path): string {
    return preg_match('#^/([!-.0-\[\]-~][!-\[\]-~]{0,1000})?$#D', $path) ? $path : '/';
}

/** An array with id, email, name and picture, or null. Refreshes an expired session: call it before any output. */
function user(): ?array {
    static $user = false;
    if ($user !== false) return $user;
    header('Cache-Control: no-store');
    [$token, $bind] = explode('~', cookie('refresh') . '~');
    $user = verify(cookie('access'));
    if ($user !== null || $token === '') return $user;
    // Every process derives the same key: the service refreshes once, and repeats its response to the others.
    $mac = hash_hmac('sha256', TENANT . "\0$bind\0$token", SECRET ?: $bind);
    $pair = remember($mac, fn() => call('refresh', ['refresh_token' => $token], SECRET ? "gh1_$mac" : $mac));
    if (isset($pair['access_token'])) keepSession($pair, $bind);
    // If it was superseded, another response sets the new cookies.
    elseif ($pair['error']['code'] !== 'refreshTokenSuperseded') dropSession();
    return $user = verify($pair['access_token'] ?? '');
}

/** True if the browser will show the response. A script can't follow a redirect to the login on another site. */
function isNavigation(): bool {
    [$mode, $accept] = [$_SERVER['HTTP_SEC_FETCH_MODE'] ?? '', $_SERVER['HTTP_ACCEPT'] ?? ''];
    if ($mode !== '') return $mode === 'navigate';
    $takesHtml = str_contains($accept, 'text/html') || !str_contains($accept, 'json');
    return $takesHtml && !isset($_SERVER['HTTP_X_REQUESTED_WITH']);
}

/** For signed-in users. Others sign in first, and return: to this page, or to / if this isn't a GET. Scripts get 401. */
function requireUser(): array {
    if ($user = user()) return $user;
    if (!isNavigation()) {
        header('Content-Type: application/json');
        stop(401, SIGNED_OUT);
    }
    $here = $_SERVER['REQUEST_METHOD'] === 'GET' ? $_SERVER['REQUEST_URI'] : '/';
    stop(303, '', '/login?return_to=' . urlencode($here));
}

function login(string $back): never {
    if ($_SERVER['REQUEST_METHOD'] === 'HEAD') { // Programs that check links start no login.
        header('Allow: GET');
        stop(405, '');
    }
    $verifier = bin2hex(random_bytes(32));
    $challenge = rtrim(strtr(base64_encode(hash('sha256', $verifier, true)), '+/', '-_'), '=');
    keep('login_' . substr($challenge, 0, 8), $verifier, 900); // The code contains these characters.
    stop(303, '', EDGE . '/google?' . http_build_query(['code_challenge' => $challenge, 'return_to' => $back,
        'redirect_uri' => origin() . '/auth/callback', 'response_type' => 'code', 'code_challenge_method' => 'S256']));
}

function callback(string $code, string $back): never {
    [$again, $text] = [http_build_query(['return_to' => $back]), PROBLEMS[query('error')] ?? PROBLEMS['login_failed']];
    if (isset($_GET['error'])) {
        $logins = array_filter(array_keys($_COOKIE), fn($name) => str_starts_with($name, prefix() . 'login_'));
        // With more, those in other tabs go on.
        if (count($logins) === 1) keep(substr(reset($logins), strlen(prefix())), '');
        if (user()) stop(303, '', $back); // They tried another account, or reloaded this page.
        stop(200, '<!doctype html><html lang="en"><meta name="robots" content="noindex"><title>Not signed in</title>' .
            "<meta name='viewport' content='width=device-width'><main><h1>You’re not signed in</h1><p>$text</p>" .
            "<p><a href=\"/login?$again\">Sign in again</a> <a href=\"/\">Go to the start page</a></p></main></html>");
    }
    $verifier = cookie('login_' . substr($code, 7, 8)); // Only the browser that started the login has it.
    $pair = $verifier ? call('token', ['code' => $code, 'code_verifier' => $verifier]) : [];
    if (!isset($pair['access_token'])) stop(303, '', "/auth/callback?error=expired&$again");
    keep('login_' . substr($code, 7, 8), '');
    keepSession($pair, bin2hex(random_bytes(16)));
    stop(303, '', $back);
}

function logout(): never {
    [$token] = explode('~', cookie('refresh'));
    if (function_exists('apcu_delete')) apcu_delete('gatehouse ' . hash('sha256', cookie('access')));
    dropSession();
    if ($token) call('logout', ['refresh_token' => $token]);
    stop(303, '', '/');
}

function isForeign(): bool {
    [$site, $sender] = [$_SERVER['HTTP_SEC_FETCH_SITE'] ?? '', $_SERVER['HTTP_ORIGIN'] ?? ''];
    if ($site !== '') return !in_array($site, ['same-origin', 'none'], true);
    // A program, or a browser that sends neither: SameSite lets the cookies out for this site only.
    if ($sender === '') return !hasSession();
    // A proxy may end TLS or replace the host.
    $host = $_SERVER['HTTP_HOST'] ?? '';
    [$forwarded] = explode(',', $_SERVER['HTTP_X_FORWARDED_HOST'] ?? $host);
    $hosts = [basename(origin()), $host, trim($forwarded)];
    return !in_array(basename($sender), $hosts, true);
}

preg_match('#^https?://.+/edge/auth/.#', EDGE) || stop(500, 'No .service: npx --@gatehouse-auth:registry=&lt;service>/packages/npm/ @gatehouse-auth/local init');
$route = $_SERVER['REQUEST_METHOD'] . ' ' . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$reads = in_array($_SERVER['REQUEST_METHOD'], ['GET', 'HEAD', 'OPTIONS'], true);
// A sign-out needs the check without the cookie, too: SameSite keeps it back, and the response would remove it.
$concernsUser = hasSession() || $route === 'POST /logout';
if (!$reads && $concernsUser && isForeign()) stop(403, 'No Origin of this app.');
match ($route) {
    'GET /login', 'HEAD /login' => login(inside(query('return_to'))),
    'GET /auth/callback' => callback(query('code'), inside(query('return_to'))),
    'POST /logout' => logout(),
    default => null,
};
