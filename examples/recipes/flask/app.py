from flask import Flask
from markupsafe import escape
from gatehouse import current_user, gatehouse, require_user

app = Flask(__name__)
app.register_blueprint(gatehouse)

@app.get("/")
def home():
    user = current_user()
    return f"<p>Hello, {escape(user['email'])}</p>" if user else '<p>Not signed in. <a href="/login">Sign in</a></p>'

@app.get("/notes")
def notes():
    user = require_user()
    return f"""<h1>Notes of {escape(user["email"])}</h1>
<form method="post" action="/logout"><button>Sign out</button></form>"""
