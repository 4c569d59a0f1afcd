import os
import sys

import django
from django.conf import settings
from django.contrib.auth import logout
from django.contrib.messages import get_messages
from django.core.management import call_command, execute_from_command_line
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import include, path

settings.configure(
    SECRET_KEY=os.environ["SESSION_SECRET"],
    ROOT_URLCONF=__name__,
    ALLOWED_HOSTS=["localhost"],
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "app.sqlite3"}},
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.messages",
        "django.contrib.sessions",
        "social_django",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "social_django.middleware.SocialAuthExceptionMiddleware",
    ],
    AUTHENTICATION_BACKENDS=["social_core.backends.open_id_connect.OpenIdConnectAuth"],
    SOCIAL_AUTH_OIDC_OIDC_ENDPOINT=os.environ["ISSUER"],
    SOCIAL_AUTH_OIDC_KEY=os.environ["CLIENT_ID"],
    SOCIAL_AUTH_OIDC_SECRET=os.environ["CLIENT_SECRET"],
    LOGIN_REDIRECT_URL="/",
    SOCIAL_AUTH_LOGIN_ERROR_URL="/failed",
)
django.setup()


def home(request):
    user = request.user
    return HttpResponse(f"Signed in as {user.email}" if user.is_authenticated else "Signed out")


def failed(request):
    return HttpResponse(f"Sign-in failed: {' '.join(map(str, get_messages(request)))}")


def sign_out(request):
    logout(request)
    return redirect("/")


urlpatterns = [
    path("", home),
    path("failed", failed),
    path("logout", sign_out),
    path("", include("social_django.urls", namespace="social")),
]

if __name__ == "__main__":
    if sys.argv[1] == "runserver":
        call_command("migrate", verbosity=0)
    execute_from_command_line(sys.argv)
