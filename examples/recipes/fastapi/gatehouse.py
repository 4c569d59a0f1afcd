"""Sign-in with Gatehouse. Add it with add_sign_in(app); it answers /login, /auth/callback and /logout."""
import base64, functools, hashlib, hmac, json, os, re, secrets, time
from http.client import HTTPException as NoResponse
from urllib.parse import quote, urlencode
from urllib.request import Request as Call, urlopen
from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

FILES = [open(file).read() for file in (".service", ".service.secret") if os.path.exists(file)]
TEXT = "\n".join(FILES).replace("base_url=", "GATEHOUSE_URL=").replace("tenant_id=", "GATEHOUSE_TENANT=")
SETTINGS = {**dict(re.findall(r"^(GATEHOUSE_\w+)=(\S+)", TEXT, re.M)), **os.environ}
SERVICE, TENANT, SECRET = (SETTINGS.get(f"GATEHOUSE_{name}", "") for name in ("URL", "TENANT", "SECRET"))
if not SERVICE or not TENANT:
    raise SystemExit("Start the app in the folder of .service, or set GATEHOUSE_URL and GATEHOUSE_TENANT.")
EDGE = f"{SERVICE}/edge/auth/{TENANT}"
PROBLEMS = {
    "access_denied": "You cancelled the sign-in, so nothing was shared with this app.",
    "expired": "This sign-in took too long, was already used, or was started in another browser.",
    "login_failed": "The sign-in failed, or this app doesn’t accept the account that you chose.",
}
router = APIRouter()

def call(action, body, key=""):
    """Sent again if there is no response: with the same Idempotency-Key, the service repeats its response."""
    sent = json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "Idempotency-Key": key or hashlib.sha256(sent).hexdigest()}
    for _ in range(2):
        try:
            with urlopen(Call(f"{EDGE}/{action}", sent, headers), timeout=10) as response:
                return json.load(response)
        except (OSError, NoResponse, ValueError) as error:
            if getattr(error, "code", 0) in (400, 401):
                return json.load(error)
    raise HTTPException(503, "Sign-in isn’t available right now. Try again in a moment.")  # The cookies stay.

def origin(request):
    """Where the user is: https, except on this machine. Set APP_URL behind a proxy that replaces the Host header."""
    host = request.headers.get("host", "")
    local = re.fullmatch(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?", host)
    return os.environ.get("APP_URL") or f"{'http' if local else 'https'}://{host}"

def prefix(request):
    """No subdomain can set a __Host- cookie. Ports share cookies, so the names of local apps have the port."""
    return "__Host-gh_" if origin(request).startswith("https:") else f"gh_{origin(request).rpartition(':')[2]}_"

def cookie(request, name):
    return request.cookies.get(prefix(request) + name, "")

def keep(request, name, value, seconds=2592000):
    request.state.cookies[prefix(request) + name] = (value, seconds if value else 0)

def inside(path):
    """A path inside this app. Browsers take //evil.example, /\\evil.example and /<tab>/evil.example for another site."""
    return path if path and len(path) <= 1024 and re.fullmatch(r"/([!-.0-\[\]-~][!-\[\]-~]*)?", path) else "/"

@functools.lru_cache(10_000)
def verify(access_token, ten_seconds):
    """Remembered for ten seconds at most: then a sign-out at another server takes effect."""
    return call("verify", {"access_token": access_token}).get("user")

def current_user(request: Request):
    """A dict with id, email, name and picture, or None. Refreshes a session whose access token has expired."""
    if not hasattr(request.state, "user"):
        access, token, bind = (cookie(request, "session") + "~~").split("~")[:3]
        request.state.user = verify(access, time.monotonic() // 10) if access else None
        if token and not request.state.user:
            # Requests at the same time derive the same key, in every process: the service refreshes once, for all of them.
            mac = hmac.new((SECRET or bind).encode(), f"{TENANT}\0{bind}\0{token}".encode(), "sha256").hexdigest()
            pair = call("refresh", {"refresh_token": token}, f"gh1_{mac}" if SECRET else mac)
            if "access_token" in pair:
                keep(request, "session", f"{pair['access_token']}~{pair['refresh_token']}~{bind}")
                request.state.user = verify(pair["access_token"], time.monotonic() // 10)
            elif pair["error"]["code"] != "refreshTokenSuperseded":  # Then another response sets the new cookie.
                keep(request, "session", "")
    return request.state.user

def signed_in_user(request: Request):
    """For pages of signed-in users: user=Depends(signed_in_user)."""
    here = quote(str(request.url).removeprefix(str(request.base_url).rstrip("/")), safe="")
    if not current_user(request):
        raise HTTPException(303, headers={"Location": f"/login?return_to={here}"})
    return request.state.user

@router.get("/login")
def login(request: Request):
    verifier = secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    keep(request, f"login_{challenge[:8]}", verifier, 900)  # The code contains these characters: only this browser can use it.
    return RedirectResponse(f"{EDGE}/google?" + urlencode({
        "redirect_uri": f"{origin(request)}/auth/callback", "return_to": inside(request.query_params.get("return_to")),
        "response_type": "code", "code_challenge": challenge, "code_challenge_method": "S256"}), 303)

@router.get("/auth/callback")
def callback(request: Request, code: str = "", error: str = "", return_to: str = ""):
    if error:
        logins = [name for name in request.cookies if name.startswith(prefix(request) + "login_")]
        if len(logins) == 1:  # With more, those in other tabs go on.
            keep(request, logins[0].removeprefix(prefix(request)), "")
        return HTMLResponse(f"""<!doctype html><html lang="en"><meta name="robots" content="noindex">
<title>You’re not signed in</title><h1>You’re not signed in</h1><p>{PROBLEMS.get(error, PROBLEMS["login_failed"])}</p>
<p><a href="/login?return_to={quote(inside(return_to), safe='')}">Sign in again</a> <a href="/">Go to the start page</a></p></html>""")
    login, verifier = f"login_{code[7:15]}", cookie(request, f"login_{code[7:15]}")
    pair = call("token", {"code": code, "code_verifier": verifier}) if verifier else {}
    if "access_token" not in pair:
        return RedirectResponse(f"/auth/callback?error=expired&return_to={quote(inside(return_to), safe='')}", 303)
    keep(request, login, "")
    keep(request, "session", f"{pair['access_token']}~{pair['refresh_token']}~{secrets.token_urlsafe(16)}")
    return RedirectResponse(inside(return_to), 303)

@router.post("/logout")
def logout(request: Request):
    keep(request, "session", "")
    verify.cache_clear()
    if "~" in cookie(request, "session"):
        call("logout", {"refresh_token": cookie(request, "session").split("~")[1]})
    return RedirectResponse("/", 303)

async def keep_cookies(request: Request, call_next):
    same = request.headers.get("sec-fetch-site") == "same-origin" or request.headers.get("origin") == origin(request)
    if request.method not in ("GET", "HEAD", "OPTIONS") and cookie(request, "session") and not same:
        return Response(status_code=403)  # A POST of another site in the name of a signed-in user.
    request.state.cookies = {}
    response = await call_next(request)
    for name, (value, seconds) in request.state.cookies.items():
        response.set_cookie(name, value, seconds, secure=name.startswith("__Host-"), httponly=True, samesite="lax")
    if request.state.cookies or getattr(request.state, "user", None):
        response.headers["Cache-Control"] = "no-store"
    return response

def add_sign_in(app):
    app.include_router(router)
    app.middleware("http")(keep_cookies)
