from django.contrib.auth import logout
from django.contrib.messages import get_messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import include, path


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
