"""Sign-in with Gatehouse: "gatehouse.SignIn", in MIDDLEWARE right after SecurityMiddleware, adds /login, /auth/callback
and /logout."""
import base64, functools, hashlib, hmac, http.client, json, os, pathlib, re, secrets, sys, threading, time, types
from urllib.parse import urlencode
from urllib.request import Request, urlopen
from django.http import HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect as redirect, JsonResponse

def read(name):
    """A file beside this one, or up to two folders above, wherever the app was started."""
    places = list(pathlib.Path(__file__).resolve().parents)[:3]
    return next(((place / name).read_text("utf-8") for place in places if (place / name).is_file()), "")

LINES = read(".service") + "\n" + read(".service.secret")
SETTINGS = dict(re.findall(r"^(\w+)=(\S+)", LINES, re.M)) | {k: v for k, v in os.environ.items() if v}
TENANT, SECRET = SETTINGS.get("GATEHOUSE_TENANT") or SETTINGS.get("tenant_id"), SETTINGS.get("GATEHOUSE_SECRET", "")
TENANT or sys.exit("No .service. Run npx --@gatehouse-auth:registry=<service>/packages/npm/ @gatehouse-auth/local init or set GATEHOUSE_URL and GATEHOUSE_TENANT")
EDGE = f"{(SETTINGS.get('GATEHOUSE_URL') or SETTINGS['base_url']).rstrip('/')}/edge/auth/{TENANT}"
PROBLEMS = {"access_denied": "You cancelled the sign-in, so nothing was shared with this app.",
            "expired": "This sign-in took too long, was already used, or was started in another browser.",
            "login_failed": "The sign-in failed, or this app doesn’t accept the account that you chose."}
PAGE = """<!doctype html><html lang="en"><meta name="robots" content="noindex"><title>You’re not signed in</title>
<meta name="viewport" content="width=device-width"><main><h1>You’re not signed in</h1><p>{}</p>
<p><a href="/login?{}">Sign in again</a> <a href="/">Go to the start page</a></p></main></html>"""
SIGNED_OUT = {"code": "signedOut", "message": "Sign in first.", "login": "/login"}
LOCKS = [threading.Lock() for _ in range(64)]

class Unavailable(Exception):
    """The service can't be asked now."""

class Refused(Exception):
    """A result without a user and tokens. It is raised, so that no cache keeps it: made-up cookies would fill the memory."""

@functools.lru_cache(1_000)
def confirmed(action, period, key, sent):
    """Sent again if there is no response: with the same Idempotency-Key, the service repeats its response."""
    headers = {"Content-Type": "application/json", "Idempotency-Key": key}
    for _ in range(2):
        try:
            result = json.load(urlopen(Request(f"{EDGE}/{action}", sent, headers), timeout=10))
        except (OSError, http.client.HTTPException, ValueError) as error:
            if getattr(error, "code", 0) not in (400, 401):
                continue
            result = json.load(error)
        if "user" in result or "access_token" in result:
            return result
        raise Refused(result)
    raise Unavailable("Sign-in isn’t available right now. Try again in a moment.")  # The cookies stay.

def call(action, period, key="", **body):
    sent = json.dumps(body).encode()
    try:
        return confirmed(action, period, key or hashlib.sha256(sent).hexdigest(), sent)
    except Refused as refused:
        return refused.args[0]

def verify(access):
    """A user is remembered for ten seconds at most: then a sign-out at another server takes effect."""
    return call("verify", time.time() // 10, access_token=access).get("user") if access else None

def cookie(request, name):
    return request.COOKIES.get(request.gatehouse.prefix + name, "")

def keep(request, name, value, seconds=2592000):
    request.gatehouse.cookies[request.gatehouse.prefix + name] = (value, seconds if value else 0)

def keep_session(request, pair, bind):
    """Each token in a cookie that lives as long as it does; without tokens, both go. `bind` makes the keys of refreshes."""
    keep(request, "access", pair.get("access_token", ""), 3600)
    keep(request, "refresh", f"{pair['refresh_token']}~{bind}" if "refresh_token" in pair else "")

def has_session(request):
    return bool(cookie(request, "access") or cookie(request, "refresh"))

def inside(path):
    """A path inside this app. For browsers, //evil.example and /\\evil.example are another site."""
    return path if path and len(path) <= 1024 and re.fullmatch(r"/([!-.0-\[\]-~][!-\[\]-~]*)?", path) else "/"

def current_user(request):
    """A dict with id, email, name and picture, or None. Refreshes a session with an expired access token."""
    token, bind = (cookie(request, "refresh") + "~").split("~")[:2]
    user = verify(cookie(request, "access"))
    if token and not user:
        # Every process derives the same key: the service refreshes once, and repeats its response to the others.
        mac = hmac.new((SECRET or bind).encode(), f"{TENANT}\0{bind}\0{token}".encode(), "sha256").hexdigest()
        with LOCKS[hash(token) % 64]:  # Simultaneous requests of a session make one call.
            pair = call("refresh", time.time() // 3600, f"gh1_{mac}" if SECRET else mac, refresh_token=token)
        user = verify(pair.get("access_token"))
        if pair.get("error", {}).get("code") != "refreshTokenSuperseded":  # Another response sets it.
            keep_session(request, pair, bind)
    request.gatehouse.user = user
    return user

def is_navigation(headers):
    """True if the browser will show the response. A script can't follow a redirect to the login on another site."""
    mode, accept = headers.get("Sec-Fetch-Mode"), headers.get("Accept", "")
    by_accept = "X-Requested-With" not in headers and ("text/html" in accept or "json" not in accept)
    return mode == "navigate" if mode else by_accept

def sign_in_required(view):
    """Other users sign in first, and return: to this page, or to / if this isn't a GET. Scripts get 401."""
    @functools.wraps(view)
    def guarded(request, *args, **kwargs):
        if current_user(request):
            return view(request, *args, **kwargs)
        if not is_navigation(request.headers):
            return JsonResponse({"error": SIGNED_OUT}, status=401)
        here = urlencode({"return_to": request.get_full_path() if request.method == "GET" else "/"})
        return redirect(f"/login?{here}")
    return guarded

def login(request):
    if request.method == "HEAD":  # Programs that check links start no login.
        return HttpResponseNotAllowed(["GET"])
    verifier = secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    keep(request, f"login_{challenge[:8]}", verifier, 900)  # The code contains these characters.
    return redirect(f"{EDGE}/google?" + urlencode({
        "response_type": "code", "code_challenge": challenge, "code_challenge_method": "S256",
        "redirect_uri": request.gatehouse.origin + "/auth/callback",
        "return_to": inside(request.GET.get("return_to"))}))

def callback(request):
    code, back = request.GET.get("code", ""), inside(request.GET.get("return_to"))
    again = urlencode({"return_to": back})
    if "error" in request.GET:
        logins = [name for name in request.COOKIES if name.startswith(f"{request.gatehouse.prefix}login_")]
        # With more, those in other tabs go on.
        len(logins) == 1 and keep(request, logins[0].removeprefix(request.gatehouse.prefix), "")
        page = PAGE.format(PROBLEMS.get(request.GET["error"], PROBLEMS["login_failed"]), again)
        # Signed-in users tried another account, or reloaded this page.
        return redirect(back) if current_user(request) else HttpResponse(page)
    verifier = cookie(request, f"login_{code[7:15]}")  # Only the browser that started the login has it.
    pair = call("token", time.time(), code=code, code_verifier=verifier) if verifier else {}
    if "access_token" not in pair:
        return redirect(f"/auth/callback?error=expired&{again}")
    keep(request, f"login_{code[7:15]}", "")
    keep_session(request, pair, secrets.token_urlsafe(16))
    return redirect(back)

def logout(request):
    keep_session(request, {}, "")
    confirmed.cache_clear()
    call("logout", time.time(), refresh_token=cookie(request, "refresh").split("~")[0])
    return redirect("/")

def is_foreign(request):
    site, sender, host = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin"), request.get_host()
    if site:
        return site not in ("same-origin", "none")
    if not sender:  # A program, or a browser that sends neither: SameSite lets the cookies out for this site only.
        return not has_session(request)
    # A proxy may end TLS or replace the host.
    forwarded = request.headers.get("X-Forwarded-Host", host).split(",")[0].strip()
    return sender.rpartition("/")[2] not in (request.gatehouse.origin.rpartition("/")[2], host, forwarded)

class SignIn:
    routes = {"GET /login": login, "HEAD /login": login, "GET /auth/callback": callback, "POST /logout": logout}

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        # https, except on this machine. Set APP_URL if a proxy replaces the Host header.
        local = re.fullmatch(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?", request.get_host())
        place = os.environ.get("APP_URL", "").rstrip("/") or f"{'http' if local else 'https'}://{request.get_host()}"
        # No subdomain can set a __Host- cookie. Ports share cookies, so names of local apps have the port.
        prefix = "__Host-gh_" if place.startswith("https:") else f"gh_{re.search(':([0-9]+)$|$', place)[1] or 80}_"
        request.gatehouse = types.SimpleNamespace(origin=place, prefix=prefix, cookies={}, user=None)
        view = self.routes.get(f"{request.method} {request.path_info}", self.get_response)
        # A sign-out needs the check without the cookie, too: SameSite keeps it back, and the response would remove it.
        reads = request.method in ("GET", "HEAD", "OPTIONS") or not (has_session(request) or view is logout)
        try:
            is_own = reads or not is_foreign(request)
            response = view(request) if is_own else HttpResponse("No Origin of this app.", status=403)
        except Unavailable as error:
            response = self.process_exception(request, error)
        for name, (value, seconds) in request.gatehouse.cookies.items():
            response.set_cookie(name, value, seconds, secure="Host" in name, httponly=True, samesite="Lax")
        if request.gatehouse.user:
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    def process_exception(self, request, exception):
        return HttpResponse(str(exception), status=503) if isinstance(exception, Unavailable) else None
