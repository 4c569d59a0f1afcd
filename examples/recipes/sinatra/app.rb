require 'sinatra'
require_relative 'gatehouse'

register Gatehouse

get '/' do
  user = current_user
  user ? "Hello, #{Rack::Utils.escape_html(user['email'])}" : 'Not signed in. <a href="/login">Sign in</a>'
end

get '/notes' do
  email = Rack::Utils.escape_html(require_user['email'])
  "<h1>Notes of #{email}</h1><form method=\"post\" action=\"/logout\"><button>Sign out</button></form>"
end
