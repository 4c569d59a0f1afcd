"""Sign-in with Gatehouse. Add it with add_sign_in(app); it answers /login, /auth/callback and /logout."""
import base64, hashlib, hmac, html, json, os, re, secrets, time
from concurrent.futures import Future
from http.client import HTTPException as NoResponse
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request as Call, urlopen
from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

def setting(variable, name, file=".service"):
    text = open(file).read() if os.path.exists(file) else ""
    return os.environ.get(variable) or "".join(re.findall(rf"^{name}=(\S+)", text, re.M)[:1])

SERVICE, TENANT = setting("GATEHOUSE_URL", "base_url"), setting("GATEHOUSE_TENANT", "tenant_id")
SECRET = setting("GATEHOUSE_SECRET", "GATEHOUSE_SECRET", ".service.secret")
if not SERVICE or not TENANT:
    raise SystemExit("Start the app in the folder of .service, or set GATEHOUSE_URL and GATEHOUSE_TENANT.")
EDGE = f"{SERVICE}/edge/auth/{TENANT}"
CACHE_SECONDS = 10  # A sign-out at another server takes effect after at most this time.
PROBLEMS = {
    "access_denied": "You cancelled the sign-in, so nothing was shared with this app.",
    "expired": "This sign-in took too long, was already used, or was started in another browser.",
    "login_failed": "The sign-in failed, or this app doesn’t accept the account that you chose.",
}
verified, flights = {}, {}
router = APIRouter()

def call(action, body, key=""):
    """Sent again if there is no response: with the same Idempotency-Key, the service repeats its response."""
    headers = {"Content-Type": "application/json", "Idempotency-Key": key or secrets.token_urlsafe(16)}
    for _ in range(2):
        try:
            with urlopen(Call(f"{EDGE}/{action}", json.dumps(body).encode(), headers), timeout=10) as response:
                return json.load(response)
        except HTTPError as error:
            if error.code in (400, 401):
                return json.load(error)
        except (OSError, NoResponse, ValueError):
            pass
    raise HTTPException(503, "Sign-in isn’t available right now. Try again in a moment.")  # The cookies stay.

def sha256(text):
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()

def origin(request: Request):
    """Where the user is: https, except on this machine. Set APP_URL behind a proxy that replaces the Host header."""
    local = re.fullmatch(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?", request.headers.get("host", ""))
    return os.environ.get("APP_URL") or f"{'http' if local else 'https'}://{request.headers.get('host', '')}"

def prefix(request: Request):
    """No subdomain can set a __Host- cookie. Ports share cookies, so the names of local apps have the port."""
    return "__Host-gh_" if origin(request).startswith("https:") else f"gh_{origin(request).rpartition(':')[2]}_"

def cookie(request, name):
    return request.cookies.get(prefix(request) + name, "")

def keep(request, name, value, seconds):
    request.state.cookies[name] = (value, seconds)

def keep_session(request, pair, bind):
    keep(request, "access", pair.get("access_token", ""), 3600 if pair else 0)
    keep(request, "refresh", pair.get("refresh_token", ""), 2592000 if pair else 0)
    keep(request, "bind", bind, 2592000 if pair else 0)

def inside(path):
    """A path inside this app. Browsers take //evil.example, /\\evil.example and /<tab>/evil.example for another site."""
    return path if path and len(path) <= 1024 and re.fullmatch(r"/([!-.0-\[\]-~][!-\[\]-~]*)?", path) else "/"

def verify(token):
    user, until = verified.get(token, (None, 0))
    if token and time.monotonic() >= until:
        user = call("verify", {"access_token": token}).get("user")
        if len(verified) >= 10_000:
            verified.clear()
        verified[token] = user, time.monotonic() + CACHE_SECONDS
    return user

def refresh(token, bind):
    """Requests at the same time share one call. Other processes derive the same key, and get the same pair."""
    mac = hmac.new((SECRET or bind).encode(), f"{TENANT}\0{bind}\0{token}".encode(), "sha256").digest()
    key = ("gh1_" if SECRET else "") + base64.urlsafe_b64encode(mac).rstrip(b"=").decode()
    own = Future()
    flight = flights.setdefault(key, own)
    if flight is own:
        try:
            flight.set_result(call("refresh", {"refresh_token": token}, key))
        except Exception as error:
            flight.set_exception(error)
        del flights[key]
    return flight.result()

def current_user(request: Request):
    """A dict with id, email, name and picture, or None. Refreshes a session whose access token has expired."""
    if not hasattr(request.state, "user"):
        request.state.user = verify(cookie(request, "access"))
        if not request.state.user and cookie(request, "refresh"):
            bind = cookie(request, "bind") or secrets.token_urlsafe(16)
            pair = refresh(cookie(request, "refresh"), bind)
            if "access_token" in pair:
                keep_session(request, pair, bind)
                request.state.user = verify(pair["access_token"])
            elif pair["error"]["code"] != "refreshTokenSuperseded":  # Then another response sets the new cookies.
                keep_session(request, {}, "")
    return request.state.user

def signed_in_user(request: Request):
    """For pages of signed-in users: user=Depends(signed_in_user)."""
    path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    if not current_user(request):
        raise HTTPException(303, headers={"Location": f"/login?return_to={quote(path, safe='')}"})
    return request.state.user

def redirect(location):
    return RedirectResponse(location, 303)

@router.get("/login")
def login(request: Request):
    verifier = secrets.token_urlsafe(32)
    challenge = sha256(verifier)
    keep(request, f"login_{challenge[:8]}", verifier, 900)  # The code contains these characters: only this browser can use it.
    return redirect(f"{EDGE}/google?" + urlencode({
        "redirect_uri": f"{origin(request)}/auth/callback", "return_to": inside(request.query_params.get("return_to")),
        "response_type": "code", "code_challenge": challenge, "code_challenge_method": "S256"}))

@router.get("/auth/callback")
def callback(request: Request):
    code, back = request.query_params.get("code", ""), inside(request.query_params.get("return_to"))
    if "error" in request.query_params:
        logins = [name for name in request.cookies if name.startswith(prefix(request) + "login_")]
        if len(logins) == 1:  # With more, those in other tabs go on.
            keep(request, logins[0].removeprefix(prefix(request)), "", 0)
        text = PROBLEMS.get(request.query_params["error"], PROBLEMS["login_failed"])
        return HTMLResponse(f"""<!doctype html><html lang="en"><meta name="robots" content="noindex"><title>You’re not signed in</title>
<h1>You’re not signed in</h1><p>{text}</p><form action="/login"><input type="hidden" name="return_to"
value="{html.escape(back)}"><button>Sign in again</button></form><a href="/">Go to the start page</a></html>""")
    login = f"login_{code[7:15]}"
    verifier = cookie(request, login)
    pair = call("token", {"code": code, "code_verifier": verifier}, sha256(f"exchange {verifier}")) if verifier else {}
    if "access_token" not in pair:
        return redirect(f"/auth/callback?error=expired&return_to={quote(back, safe='')}")
    keep(request, login, "", 0)
    keep_session(request, pair, secrets.token_urlsafe(16))
    return redirect(back)

@router.post("/logout")
def logout(request: Request):
    verified.pop(cookie(request, "access"), None)
    keep_session(request, {}, "")
    if cookie(request, "refresh"):
        call("logout", {"refresh_token": cookie(request, "refresh")})
    return redirect("/")

async def keep_cookies(request: Request, call_next):
    same = request.headers.get("sec-fetch-site") == "same-origin" or request.headers.get("origin") == origin(request)
    if request.method not in ("GET", "HEAD", "OPTIONS") and cookie(request, "refresh") and not same:
        return Response(status_code=403)  # A POST of another site in the name of a signed-in user.
    request.state.cookies = {}
    response = await call_next(request)
    for name, (value, seconds) in request.state.cookies.items():
        secure = origin(request).startswith("https:")
        response.set_cookie(prefix(request) + name, value, seconds, secure=secure, httponly=True, samesite="lax")
    if request.state.cookies or getattr(request.state, "user", None):
        response.headers["Cache-Control"] = "no-store"
    return response

def add_sign_in(app):
    app.include_router(router)
    app.middleware("http")(keep_cookies)
