from html import escape
from fastapi import Depends, FastAPI
from fastapi.responses import HTMLResponse
from gatehouse import add_sign_in, current_user, require_user

app = FastAPI()
add_sign_in(app)

@app.get("/", response_class=HTMLResponse)
def home(user=Depends(current_user)):
    return f"<p>Hello, {escape(user['email'])}</p>" if user else '<p>Not signed in. <a href="/login">Sign in</a></p>'

@app.get("/notes", response_class=HTMLResponse)
def notes(user=Depends(require_user)):
    return f"""<h1>Notes of {escape(user["email"])}</h1>
<form method="post" action="/logout"><button>Sign out</button></form>"""
