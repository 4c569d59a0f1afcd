"""Sign-in with Gatehouse: add_sign_in(app) adds /login, /auth/callback and /logout."""
import base64, functools, hashlib, hmac, http.client, json, os, pathlib, re, secrets, sys, threading, time
from urllib.parse import quote, urlencode
from urllib.request import Request as Call, urlopen
from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

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
router = APIRouter()

class Refused(Exception):
    """A result without a user and tokens. It is raised, so that no cache keeps it: made-up cookies would fill the memory."""

@functools.lru_cache(1_000)
def confirmed(action, period, key, sent):
    """Sent again if there is no response: with the same Idempotency-Key, the service repeats its response."""
    headers = {"Content-Type": "application/json", "Idempotency-Key": key}
    for _ in range(2):
        try:
            result = json.load(urlopen(Call(f"{EDGE}/{action}", sent, headers), timeout=10))
        except (OSError, http.client.HTTPException, ValueError) as error:
            if getattr(error, "code", 0) not in (400, 401):
                continue
            result = json.load(error)
        if "user" in result or "access_token" in result:
            return result
        raise Refused(result)
    raise HTTPException(503, "Sign-in isn’t available right now. Try again in a moment.")  # The cookies stay.

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
    return request.cookies.get(request.state.prefix + name, "")

def keep(request, name, value, seconds=2592000):
    request.state.cookies[request.state.prefix + name] = (value, seconds if value else 0)

def keep_session(request, pair, bind):
    """Each token in a cookie that lives as long as it does; without tokens, both go. `bind` makes the keys of refreshes."""
    keep(request, "access", pair.get("access_token", ""), 3600)
    keep(request, "refresh", f"{pair['refresh_token']}~{bind}" if "refresh_token" in pair else "")

def has_session(request):
    return bool(cookie(request, "access") or cookie(request, "refresh"))

def inside(path):
    """A path inside this app. For browsers, //evil.example and /\\evil.example are another site."""
    return path if path and len(path) <= 1024 and re.fullmatch(r"/([!-.0-\[\]-~][!-\[\]-~]*)?", path) else "/"

def current_user(request: Request):
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
    request.state.user = user
    return user

def is_navigation(headers):
    """True if the browser will show the response. A script can't follow a redirect to the login on another site."""
    mode, accept = headers.get("Sec-Fetch-Mode"), headers.get("Accept", "")
    by_accept = "X-Requested-With" not in headers and ("text/html" in accept or "json" not in accept)
    return mode == "navigate" if mode else by_accept

def require_user(request: Request):
    """For signed-in users: user=Depends(require_user). Others sign in first, and return: here if it is a GET, else to /.
    Scripts get 401."""
    user = current_user(request)
    if user:
        return user
    if not is_navigation(request.headers):
        raise HTTPException(401, SIGNED_OUT)
    # The server decoded the path.
    path, query = request.scope["path"], request.scope["query_string"].decode("latin-1")
    here = quote(path, "/!$&'()*+,;=:@") + (query and f"?{query}") if request.method == "GET" else "/"
    raise HTTPException(303, headers={"Location": f"/login?return_to={quote(here, '')}"})

@router.get("/login")
def login(request: Request, return_to: str = ""):
    verifier = secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    keep(request, f"login_{challenge[:8]}", verifier, 900)  # The code contains these characters.
    return RedirectResponse(f"{EDGE}/google?" + urlencode({
        "redirect_uri": f"{request.state.origin}/auth/callback", "return_to": inside(return_to),
        "response_type": "code", "code_challenge": challenge, "code_challenge_method": "S256"}), 303)

@router.get("/auth/callback")
def callback(request: Request, code: str = "", error: str = "", return_to: str = ""):
    if error:
        logins = [name for name in request.cookies if name.startswith(f"{request.state.prefix}login_")]
        # With more, those in other tabs go on.
        len(logins) == 1 and keep(request, logins[0].removeprefix(request.state.prefix), "")
        page = PAGE.format(PROBLEMS.get(error, PROBLEMS["login_failed"]), quote(inside(return_to), ""))
        # Signed-in users tried another account, or reloaded this page.
        return RedirectResponse(inside(return_to), 303) if current_user(request) else HTMLResponse(page)
    verifier = cookie(request, f"login_{code[7:15]}")  # Only the browser that started the login has it.
    pair = call("token", time.time(), code=code, code_verifier=verifier) if verifier else {}
    if "access_token" not in pair:
        return RedirectResponse(f"/auth/callback?error=expired&return_to={quote(inside(return_to), '')}", 303)
    keep(request, f"login_{code[7:15]}", "")
    keep_session(request, pair, secrets.token_urlsafe(16))
    return RedirectResponse(inside(return_to), 303)

@router.post("/logout")
def logout(request: Request):
    keep_session(request, {}, "")
    confirmed.cache_clear()
    call("logout", time.time(), refresh_token=cookie(request, "refresh").split("~")[0])
    return RedirectResponse("/", 303)

def is_foreign(request):
    site, sender, host = request.headers.get("sec-fetch-site"), request.headers.get("origin"), request.url.netloc
    if site:
        return site not in ("same-origin", "none")
    if not sender:  # A program, or a browser that sends neither: SameSite lets the cookies out for this site only.
        return not has_session(request)
    # A proxy may end TLS or replace the host.
    forwarded = request.headers.get("x-forwarded-host", host).split(",")[0].strip()
    return sender.rpartition("/")[2] not in (request.state.origin.rpartition("/")[2], host, forwarded)

async def keep_cookies(request: Request, call_next):
    # https, except on this machine. Set APP_URL if a proxy replaces the Host header.
    scheme = "http" if request.url.hostname in ("localhost", "127.0.0.1", "::1") else "https"
    place = os.environ.get("APP_URL", "").rstrip("/") or f"{scheme}://{request.url.netloc}"
    # No subdomain can set a __Host- cookie. Ports share cookies, so names of local apps have the port.
    prefix = "__Host-gh_" if place.startswith("https:") else f"gh_{re.search(':([0-9]+)$|$', place)[1] or 80}_"
    request.state.origin, request.state.prefix, request.state.cookies = place, prefix, {}
    # A POST of another site, for a signed-in user, or a sign-out: SameSite keeps the cookie back, and it would be removed.
    concerns_user = has_session(request) or request.scope["path"].rstrip("/").endswith("/logout")
    if request.method not in ("GET", "HEAD", "OPTIONS") and concerns_user and is_foreign(request):
        return Response("No Origin of this app.", 403)
    response = await call_next(request)
    for name, (value, seconds) in request.state.cookies.items():
        response.set_cookie(name, value, seconds, secure="Host" in name, httponly=True, samesite="lax")
    if getattr(request.state, "user", None):
        response.headers.setdefault("Cache-Control", "no-store")
    return response

def add_sign_in(app):
    app.include_router(router)
    app.middleware("http")(keep_cookies)
