<?php
require __DIR__ . '/../gatehouse.php';

switch (parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
    case '/':
        $user = Gatehouse\user();
        echo $user ? 'Hello, ' . htmlspecialchars($user['email']) : 'Not signed in. <a href="/login">Sign in</a>';
        break;
    case '/notes':
        echo '<h1>Notes of ' . htmlspecialchars(Gatehouse\requireUser()['email']) . '</h1>',
            '<form method="post" action="/logout"><button>Sign out</button></form>';
        break;
    default:
        http_response_code(404);
}
