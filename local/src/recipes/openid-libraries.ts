import { CLIENT_SECRET_FIELD } from '../api/tenants.ts'
import type { FrameworkName } from './frameworks.ts'

/** Lines that an app adds for its library. `{issuer}`, `{client_id}`, `{callback_url}` and `{callback_path}` are those of the project. */
interface LibraryAddition {
  /** Default: the file that creates the app. `{folder}` is that of this file. */
  readonly file?: string
  /** Where in the file, as a phrase. */
  readonly where: string
  readonly lines: readonly string[]
}

/** A well-kept OpenID library, and what an app of its framework needs to sign users in with it. */
export interface OpenIdLibrary {
  readonly name: string
  /** What it brings that our recipe has not. */
  readonly brings: string
  readonly install: string
  /** The path of its callback, if the library chooses it. */
  readonly callbackPath?: string
  readonly additions: readonly LibraryAddition[]
  /** Lines for a service without https, which is one on this machine. */
  readonly withoutHttps?: LibraryAddition
  /** How a page signs a user in, and how the app knows the user. */
  readonly signIn: string
  readonly user: string
  /** By what the app stores rows of a user, if not by `sub`. */
  readonly rows?: string
}

// Each block reads the application key where the app runs: from a variable in production, from .service on this machine.

const PYTHON_KEY = (file: string): string =>
  `os.environ.get("GATEHOUSE_CLIENT_SECRET") or re.search(r"${CLIENT_SECRET_FIELD}=(\\S+)", ${file}.read_text())[1]`

const AUTHLIB = [
  'oauth.register("gatehouse", client_id="{client_id}",',
  '    server_metadata_url="{issuer}/.well-known/openid-configuration",',
  `    client_secret=${PYTHON_KEY('pathlib.Path(".service")')},`,
  '    client_kwargs={"scope": "openid email profile", "code_challenge_method": "S256"})',
]

const DJANGO_ALLAUTH: OpenIdLibrary = {
  name: 'django-allauth',
  brings:
    'request.user, login_required, ?next=, the admin and test clients work as in every Django app',
  install: 'pip install "django-allauth[socialaccount]>=65"',
  callbackPath: '/accounts/oidc/gatehouse/login/callback/',
  additions: [
    {
      where: 'at its end',
      lines: [
        'import os, re',
        'INSTALLED_APPS += ["allauth", "allauth.account", "allauth.socialaccount", "allauth.socialaccount.providers.openid_connect"]',
        'MIDDLEWARE += ["allauth.account.middleware.AccountMiddleware"]',
        'AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend", "allauth.account.auth_backends.AuthenticationBackend"]',
        'LOGIN_REDIRECT_URL = "/"',
        'SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": [{',
        '    "provider_id": "gatehouse", "name": "Google", "client_id": "{client_id}",',
        `    "secret": ${PYTHON_KEY('(BASE_DIR / ".service")')},`,
        '    "settings": {"server_url": "{issuer}"}}]}}',
      ],
    },
    {
      file: '{folder}/urls.py',
      where: 'in urlpatterns, with include of django.urls; then run: python manage.py migrate',
      lines: ['path("accounts/", include("allauth.urls")),'],
    },
  ],
  signIn:
    '<form method="post" action="/accounts/oidc/gatehouse/login/">{% csrf_token %}<button>Sign in</button></form>',
  user: 'request.user; guard a view with @login_required',
  rows: 'give them a ForeignKey to settings.AUTH_USER_MODEL: allauth knows the user by sub, not by email',
}

const FLASK_AUTHLIB: OpenIdLibrary = {
  name: 'Authlib',
  brings: 'the session of Flask has the user, so that its extensions and test client work',
  install: 'pip install authlib requests',
  additions: [
    {
      where: 'after the app is created and has its secret_key (app is your variable)',
      lines: [
        'import os, pathlib, re',
        'from authlib.integrations.flask_client import OAuth',
        'oauth = OAuth(app)',
        ...AUTHLIB,
      ],
    },
    {
      where: 'with the other routes',
      lines: [
        '@app.get("/login")',
        'def login():',
        '    return oauth.gatehouse.authorize_redirect(url_for("callback", _external=True))',
        '',
        '@app.get("{callback_path}")',
        'def callback():',
        '    session["user"] = oauth.gatehouse.authorize_access_token()["userinfo"]',
        '    return redirect("/")',
      ],
    },
  ],
  signIn: '<a href="/login">Sign in</a>',
  user: 'session.get("user"): its sub, email, name and picture, or None; sign out with session.pop("user", None)',
}

const FASTAPI_AUTHLIB: OpenIdLibrary = {
  name: 'Authlib',
  brings:
    'request.session of Starlette has the user, so that its dependencies and test client work',
  install: 'pip install authlib httpx itsdangerous',
  additions: [
    {
      where:
        'after the app is created (app is your variable); SESSION_SECRET: 32 random characters that stay the same',
      lines: [
        'import os, pathlib, re',
        'from authlib.integrations.starlette_client import OAuth',
        'from starlette.middleware.sessions import SessionMiddleware',
        'app.add_middleware(SessionMiddleware, secret_key=os.environ["SESSION_SECRET"])',
        'oauth = OAuth()',
        ...AUTHLIB,
      ],
    },
    {
      where: 'with the other routes (Request of fastapi, RedirectResponse of fastapi.responses)',
      lines: [
        '@app.get("/login")',
        'async def login(request: Request):',
        '    return await oauth.gatehouse.authorize_redirect(request, str(request.url_for("callback")))',
        '',
        '@app.get("{callback_path}")',
        'async def callback(request: Request):',
        '    token = await oauth.gatehouse.authorize_access_token(request)',
        '    request.session["user"] = dict(token["userinfo"])',
        '    return RedirectResponse("/")',
      ],
    },
  ],
  signIn: '<a href="/login">Sign in</a>',
  user: 'request.session.get("user"): its sub, email, name and picture, or None; sign out with request.session.pop("user", None)',
}

const omniauth = (builder: string, serviceFile: string): readonly string[] => [
  builder,
  '  provider :openid_connect, issuer: "{issuer}", discovery: true, pkce: true,',
  '    scope: %i[openid email profile],',
  '    client_options: { identifier: "{client_id}", redirect_uri: "{callback_url}",',
  `      secret: ENV["GATEHOUSE_CLIENT_SECRET"] || ${serviceFile}[/^${CLIENT_SECRET_FIELD}=(\\S+)/, 1] }`,
  'end',
]

const OMNIAUTH = {
  name: 'omniauth_openid_connect',
  callbackPath: '/auth/openid_connect/callback',
} as const

const DISCOVERY_WITHOUT_HTTPS = 'SWD.url_builder = URI::HTTP'
const HTTP_ONLY = 'before these lines, because this service has no https; not in production'

const SINATRA_OMNIAUTH: OpenIdLibrary = {
  ...OMNIAUTH,
  brings: 'every other OmniAuth strategy and its test mode work beside it',
  install: 'bundle add omniauth_openid_connect',
  additions: [
    {
      where: 'where the app is set up, with sessions enabled',
      lines: [
        "require 'omniauth_openid_connect'",
        ...omniauth('use OmniAuth::Builder do', 'File.read(".service")'),
      ],
    },
    {
      where: 'with the other routes',
      lines: [
        'get "{callback_path}" do',
        '  auth = request.env["omniauth.auth"]',
        '  session[:user] = { "sub" => auth.uid, "email" => auth.info.email, "name" => auth.info.name }',
        '  redirect "/"',
        'end',
      ],
    },
  ],
  withoutHttps: { where: HTTP_ONLY, lines: [DISCOVERY_WITHOUT_HTTPS] },
  signIn:
    '<form method="post" action="/auth/openid_connect"> with the field authenticity_token = Rack::Protection::AuthenticityToken.token(session)',
  user: 'session[:user]: "sub", "email" and "name", or nil; sign out with session.delete(:user)',
}

const RAILS_OMNIAUTH: OpenIdLibrary = {
  ...OMNIAUTH,
  brings: 'Devise, other OmniAuth strategies and their test mode work beside it',
  install: 'bundle add omniauth_openid_connect omniauth-rails_csrf_protection',
  additions: [
    {
      file: 'config/initializers/omniauth.rb',
      where: 'a new file',
      lines: omniauth(
        'Rails.application.config.middleware.use OmniAuth::Builder do',
        'Rails.root.join(".service").read',
      ),
    },
    {
      file: 'config/routes.rb',
      where: 'among the routes',
      lines: ['get "{callback_path}", to: "sessions#create"'],
    },
    {
      file: 'app/controllers/sessions_controller.rb',
      where: 'in class SessionsController < ApplicationController',
      lines: [
        'def create',
        '  auth = request.env["omniauth.auth"]',
        '  reset_session',
        '  session[:user] = { "sub" => auth.uid, "email" => auth.info.email, "name" => auth.info.name }',
        '  redirect_to root_path',
        'end',
      ],
    },
  ],
  withoutHttps: {
    file: 'config/initializers/omniauth.rb',
    where: HTTP_ONLY,
    lines: [DISCOVERY_WITHOUT_HTTPS],
  },
  signIn: '<%= button_to "Sign in", "/auth/openid_connect", data: { turbo: false } %>',
  user: 'session[:user]: "sub", "email" and "name", or nil; sign out with reset_session',
}

const PHP_JUMBOJETT: OpenIdLibrary = {
  name: 'jumbojett/openid-connect-php',
  brings: 'the session of PHP has the user, with any framework; in Laravel, too',
  install: 'composer require jumbojett/openid-connect-php',
  additions: [
    {
      file: 'public/index.php',
      where:
        'in the code that answers /login and {callback_path} (in Laravel, in a controller, with base_path())',
      lines: [
        "require_once __DIR__ . '/../vendor/autoload.php';",
        `preg_match('/^${CLIENT_SECRET_FIELD}=(\\S+)/m', (string) @file_get_contents(__DIR__ . '/../.service'), $key);`,
        "$oidc = new Jumbojett\\OpenIDConnectClient('{issuer}', '{client_id}', getenv('GATEHOUSE_CLIENT_SECRET') ?: $key[1]);",
        "$oidc->setRedirectURL('{callback_url}');",
        "$oidc->addScope(['openid', 'email', 'profile']);",
        "$oidc->setCodeChallengeMethod('S256');",
        '$oidc->authenticate(); // /login goes to the service, {callback_path} comes back',
        'session_regenerate_id(true);',
        "$_SESSION['user'] = (array) $oidc->getVerifiedClaims();",
      ],
    },
  ],
  signIn: '<a href="/login">Sign in</a>',
  user: "$_SESSION['user'] ?? null, after session_start(): its sub, email, name and picture; sign out with session_destroy()",
}

const GO_OIDC: OpenIdLibrary = {
  name: 'coreos/go-oidc v3',
  brings: 'it is the client of golang.org/x/oauth2, whose tokens your other calls take',
  install: 'go get github.com/coreos/go-oidc/v3/oidc golang.org/x/oauth2',
  additions: [
    {
      where: `where the server starts; on this machine: export GATEHOUSE_CLIENT_SECRET=$(sed -n s/^${CLIENT_SECRET_FIELD}=//p .service)`,
      lines: [
        'provider, err := oidc.NewProvider(ctx, "{issuer}")',
        'config := oauth2.Config{ClientID: "{client_id}", ClientSecret: os.Getenv("GATEHOUSE_CLIENT_SECRET"), Endpoint: provider.Endpoint(),',
        '\tRedirectURL: "{callback_url}", Scopes: []string{oidc.ScopeOpenID, "email", "profile"}}',
        'idTokens := provider.Verifier(&oidc.Config{ClientID: config.ClientID})',
      ],
    },
    {
      where:
        'in the handler of /login: state and verifier are new, from oauth2.GenerateVerifier(), and in a cookie of this browser',
      lines: [
        'http.Redirect(w, r, config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier)), http.StatusFound)',
      ],
    },
    {
      where:
        'in the handler of {callback_path}, if state of the query equals that of the cookie; then keep idToken.Subject in a session',
      lines: [
        'token, err := config.Exchange(r.Context(), r.URL.Query().Get("code"), oauth2.VerifierOption(verifier))',
        'raw, _ := token.Extra("id_token").(string)',
        'idToken, err := idTokens.Verify(r.Context(), raw)',
        'var user struct{ Email, Name, Picture string }',
        'err = idToken.Claims(&user)',
      ],
    },
  ],
  signIn: '<a href="/login">Sign in</a>',
  user: 'idToken.Subject and the claims, in the session of your app; handle each err',
}

/** Frameworks with a library that is better known in them than our recipe. Those in Node have the SDK. */
const LIBRARIES: Partial<Readonly<Record<FrameworkName | 'rails', OpenIdLibrary>>> = {
  django: DJANGO_ALLAUTH,
  flask: FLASK_AUTHLIB,
  fastapi: FASTAPI_AUTHLIB,
  ruby: SINATRA_OMNIAUTH,
  rails: RAILS_OMNIAUTH,
  php: PHP_JUMBOJETT,
  go: GO_OIDC,
}

/** null: none is known for this framework. `rails` is known by its library only. */
export const openIdLibraryOf = (name: FrameworkName | 'rails'): OpenIdLibrary | null =>
  LIBRARIES[name] ?? null
