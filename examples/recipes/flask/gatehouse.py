"""Sign-in with Gatehouse: app.register_blueprint(gatehouse) adds /login, /auth/callback and /logout."""
import base64, functools, hashlib, hmac, http.client, json, os, pathlib, re, secrets, sys, threading, time
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen
from flask import Blueprint, abort, g, make_response, redirect, request

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
<p><a href="/login?return_to={}">Sign in again</a> <a href="/">Go to the start page</a></p></main></html>"""
SIGNED_OUT = {"code": "signedOut", "message": "Sign in first.", "login": "/login"}
LOCKS = [threading.Lock() for _ in range(64)]
gatehouse = Blueprint("gatehouse", __name__)

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
    abort(503, "Sign-in isn’t available right now. Try again in a moment.")  # The cookies stay.

def call(action, period, key="", **body):
    sent = json.dumps(body).encode()
    try:
        return confirmed(action, period, key or hashlib.sha256(sent).hexdigest(), sent)
    except Refused as refused:
        return refused.args[0]

def verify(access):
    """A user is remembered for ten seconds at most: then a sign-out at another server takes effect."""
    return call("verify", time.time() // 10, access_token=access).get("user") if access else None

def origin():
    """Where the user is: https, except on this machine. Set APP_URL if a proxy replaces the Host header."""
    local = re.fullmatch(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?", request.host)
    return os.environ.get("APP_URL", "").rstrip("/") or f"{'http' if local else 'https'}://{request.host}"

def prefix():
    """No subdomain can set a __Host- cookie. Ports share cookies, so names of local apps have the port."""
    return "__Host-gh_" if origin().startswith("https:") else f"gh_{re.search(':([0-9]+)$|$', origin())[1] or 80}_"

def cookie(name):
    return request.cookies.get(prefix() + name, "")

def keep(name, value, seconds=2592000):
    g.setdefault("gatehouse_cookies", {})[prefix() + name] = (value, seconds if value else 0)

def keep_session(pair, bind):
    """Each token in a cookie that lives as long as it does; without tokens, both go. `bind` makes the keys of refreshes."""
    keep("access", pair.get("access_token", ""), 3600)
    keep("refresh", f"{pair['refresh_token']}~{bind}" if "refresh_token" in pair else "")

def has_session():
    return bool(cookie("access") or cookie("refresh"))

def inside(path):
    """A path inside this app. For browsers, //evil.example and /\\evil.example are another site."""
    return path if path and len(path) <= 1024 and re.fullmatch(r"/([!-.0-\[\]-~][!-\[\]-~]*)?", path) else "/"

def current_user():
    """A dict with id, email, name and picture, or None. Refreshes a session with an expired access token."""
    token, bind = (cookie("refresh") + "~").split("~")[:2]
    user = verify(cookie("access"))
    if token and not user:
        # Every process derives the same key: the service refreshes once, and repeats its response to the others.
        mac = hmac.new((SECRET or bind).encode(), f"{TENANT}\0{bind}\0{token}".encode(), "sha256").hexdigest()
        with LOCKS[hash(token) % 64]:  # Simultaneous requests of a session make one call.
            pair = call("refresh", time.time() // 3600, f"gh1_{mac}" if SECRET else mac, refresh_token=token)
        user = verify(pair.get("access_token"))
        if pair.get("error", {}).get("code") != "refreshTokenSuperseded":  # Another response sets it.
            keep_session(pair, bind)
    g.gatehouse_user = user
    return user

def is_navigation(headers):
    """True if the browser will show the response. A script can't follow a redirect to the login on another site."""
    mode, accept = headers.get("Sec-Fetch-Mode"), headers.get("Accept", "")
    by_accept = "X-Requested-With" not in headers and ("text/html" in accept or "json" not in accept)
    return mode == "navigate" if mode else by_accept

def require_user():
    """For signed-in users. Others sign in first, and return: to this page, or to / if this isn't a GET. Scripts get 401."""
    user = current_user()
    if user:
        return user
    if not is_navigation(request.headers):
        abort(make_response({"error": SIGNED_OUT}, 401))
    # The server decoded the path.
    query = request.query_string.decode("latin-1")
    here = quote(request.path, "/!$&'()*+,;=:@") + (query and f"?{query}") if request.method == "GET" else "/"
    abort(redirect(f"/login?return_to={quote(here, '')}", 303))

@gatehouse.get("/login")
def login():
    if request.method == "HEAD":  # Programs that check links start no login.
        abort(405, valid_methods=["GET"])
    verifier = secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    keep(f"login_{challenge[:8]}", verifier, 900)  # The code contains these characters.
    return redirect(f"{EDGE}/google?" + urlencode({
        "redirect_uri": f"{origin()}/auth/callback", "return_to": inside(request.args.get("return_to")),
        "response_type": "code", "code_challenge": challenge, "code_challenge_method": "S256"}), 303)

@gatehouse.get("/auth/callback")
def callback():
    code, back = request.args.get("code", ""), inside(request.args.get("return_to"))
    if "error" in request.args:
        logins = [name.removeprefix(prefix()) for name in request.cookies if name.startswith(f"{prefix()}login_")]
        len(logins) == 1 and keep(logins[0], "")  # With more, those in other tabs go on.
        problem = PROBLEMS.get(request.args["error"], PROBLEMS["login_failed"])
        # Signed-in users tried another account, or reloaded this page.
        return redirect(back, 303) if current_user() else PAGE.format(problem, quote(back, ""))
    verifier = cookie(f"login_{code[7:15]}")  # Only the browser that started the login has it.
    pair = call("token", time.time(), code=code, code_verifier=verifier) if verifier else {}
    if "access_token" not in pair:
        return redirect(f"/auth/callback?error=expired&return_to={quote(back, '')}", 303)
    keep(f"login_{code[7:15]}", "")
    keep_session(pair, secrets.token_urlsafe(16))
    return redirect(back, 303)

@gatehouse.post("/logout")
def logout():
    keep_session({}, "")
    confirmed.cache_clear()
    call("logout", time.time(), refresh_token=cookie("refresh").split("~")[0])
    return redirect("/", 303)

def is_foreign():
    site, sender = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site:
        return site not in ("same-origin", "none")
    if not sender:  # A program, or a browser that sends neither: SameSite lets the cookies out for this site only.
        return not has_session()
    # A proxy may end TLS or replace the host.
    forwarded = request.headers.get("X-Forwarded-Host", request.host).split(",")[0].strip()
    return sender.rpartition("/")[2] not in (origin().rpartition("/")[2], request.host, forwarded)

@gatehouse.before_app_request
def check_origin():
    """Rejects a POST of another site in the name of a signed-in user, and a sign-out also without the cookie, which
    SameSite keeps back: the response would remove it all the same."""
    concerns_user = has_session() or (request.endpoint or "").endswith("gatehouse.logout")
    if request.method not in ("GET", "HEAD", "OPTIONS") and concerns_user and is_foreign():
        abort(403, "No Origin of this app.")

@gatehouse.after_app_request
def set_cookies(response):
    for name, (value, seconds) in g.get("gatehouse_cookies", {}).items():
        response.set_cookie(name, value, seconds, secure="Host" in name, httponly=True, samesite="Lax")
    if g.get("gatehouse_user"):
        response.headers.setdefault("Cache-Control", "no-store")
    return response
