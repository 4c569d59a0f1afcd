require 'omniauth_openid_connect'
require 'sinatra'

set :sessions, secret: ENV.fetch('SESSION_SECRET').ljust(64, '0')

# A service on your own machine has no https.
SWD.url_builder = URI::HTTP if ENV['ISSUER'].start_with?('http:')

use OmniAuth::Builder do
  provider :openid_connect, issuer: ENV['ISSUER'], discovery: true, pkce: true,
    scope: %i[openid email profile],
    client_options: {
      identifier: ENV['CLIENT_ID'],
      secret: ENV['CLIENT_SECRET'],
      redirect_uri: "#{ENV['APP_URL']}/auth/openid_connect/callback"
    }
end

OmniAuth.config.failure_raise_out_environments = []

get('/') { session[:email] ? "Signed in as #{session[:email]}" : 'Signed out' }

get '/login' do
  token = Rack::Protection::AuthenticityToken.token(session)
  "<form method='post' action='/auth/openid_connect'>
    <input type='hidden' name='authenticity_token' value='#{token}'><button>Sign in</button>
  </form>"
end

get '/auth/openid_connect/callback' do
  session[:email] = request.env['omniauth.auth'].info.email
  redirect '/'
end

get('/auth/failure') { "Sign-in failed: #{Rack::Utils.escape_html(params['message'])}" }

get '/logout' do
  session.clear
  redirect '/'
end
