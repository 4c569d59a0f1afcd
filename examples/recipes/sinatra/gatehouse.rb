require 'json'
require 'net/http'
require 'openssl'
require 'securerandom'
require 'sinatra/base'

# Sign-in with Gatehouse. Add it with register Gatehouse; it answers /login, /auth/callback and /logout.
module Gatehouse
  Unavailable = Class.new(StandardError) # The service can't be asked now. The cookies stay.

  def self.setting(variable, name, file) = ENV[variable] || (File.exist?(file) ? File.read(file)[/^#{name}=(\S+)/, 1] : nil)

  SERVICE, TENANT = setting('GATEHOUSE_URL', 'base_url', '.service'), setting('GATEHOUSE_TENANT', 'tenant_id', '.service')
  SECRET = setting('GATEHOUSE_SECRET', 'GATEHOUSE_SECRET', '.service.secret')
  abort 'Start the app in the folder of .service, or set GATEHOUSE_URL and GATEHOUSE_TENANT.' unless SERVICE && TENANT
  EDGE = "#{SERVICE}/edge/auth/#{TENANT}"
  PROBLEMS = {
    'access_denied' => 'You cancelled the sign-in, so nothing was shared with this app.',
    'expired' => 'This sign-in took too long, was already used, or was started in another browser.',
    'login_failed' => 'The sign-in failed, or this app doesn’t accept the account that you chose.'
  }.freeze
  VERIFIED = {} # Users by access token, for ten seconds: then a sign-out at another server takes effect.

  # Sent again if there is no response: with the same Idempotency-Key, the service repeats its response.
  def self.call(action, body, key = OpenSSL::Digest::SHA256.hexdigest(body.to_json))
    uri = URI("#{EDGE}/#{action}")
    headers = { 'Content-Type' => 'application/json', 'Idempotency-Key' => key }
    options = { use_ssl: uri.scheme == 'https', open_timeout: 10, read_timeout: 10, max_retries: 0 }
    2.times do
      response = Net::HTTP.start(uri.host, uri.port, **options) { |http| http.post(uri.path, body.to_json, headers) }
      return JSON.parse(response.body) if %w[200 400 401].include?(response.code)
    rescue SystemCallError, SocketError, IOError, Timeout::Error, OpenSSL::SSL::SSLError, Net::HTTPBadResponse, JSON::ParserError
      next
    end
    raise Unavailable
  end

  def self.verify(token)
    user, time = VERIFIED[token]
    return user if token.empty? || (time && Time.now - time < 10)
    VERIFIED.clear if VERIFIED.size >= 10_000
    (VERIFIED[token] = [call('verify', { access_token: token })['user'], Time.now]).first
  end

  module Helpers
    # Where the user is: https, except on this machine. Set APP_URL behind a proxy that replaces the Host header.
    def origin
      local = request.env['HTTP_HOST'].to_s.match?(/\A(localhost|127\.0\.0\.1|\[::1\])(:\d+)?\z/)
      ENV['APP_URL'] || "#{local ? 'http' : 'https'}://#{request.env['HTTP_HOST']}"
    end

    # No subdomain can set a __Host- cookie. Ports share cookies, so the names of local apps have the port.
    def cookie_prefix = origin.start_with?('https:') ? '__Host-gh_' : "gh_#{origin.rpartition(':').last}_"

    def cookie(name) = request.cookies[cookie_prefix + name].to_s

    def keep(name, value, seconds = 2_592_000)
      headers 'Cache-Control' => 'no-store'
      response.set_cookie(cookie_prefix + name, value: value, max_age: value.empty? ? 0 : seconds, path: '/',
                                                httponly: true, same_site: :lax, secure: origin.start_with?('https:'))
    end

    # A path inside this app. Browsers take //evil.example and /\evil.example for another site.
    def inside(path) = path.to_s.length <= 1024 && path.to_s.match?(%r{\A/([!-.0-\[\]-~][!-\[\]-~]*)?\z}) ? path : '/'

    # A hash with id, email, name and picture, or nil. Refreshes a session whose access token has expired.
    def current_user
      return @gatehouse_user if defined?(@gatehouse_user)
      headers 'Cache-Control' => 'no-store'
      access, token, bind = "#{cookie('session')}~~~".split('~', 4)
      @gatehouse_user = Gatehouse.verify(access)
      return @gatehouse_user if @gatehouse_user || token.empty?
      # Requests at the same time derive the same key, in every process: the service refreshes once, for all of them.
      mac = OpenSSL::HMAC.hexdigest('SHA256', SECRET || bind, "#{TENANT}\0#{bind}\0#{token}")
      pair = Gatehouse.call('refresh', { refresh_token: token }, SECRET ? "gh1_#{mac}" : mac)
      if pair['access_token']
        keep('session', "#{pair['access_token']}~#{pair['refresh_token']}~#{bind}")
      elsif pair['error']['code'] != 'refreshTokenSuperseded' # Then another response sets the new cookie.
        keep('session', '')
      end
      @gatehouse_user = Gatehouse.verify(pair['access_token'].to_s)
    end

    # For pages of signed-in users.
    def require_user = current_user || redirect("/login?return_to=#{Rack::Utils.escape(request.fullpath)}", 303)
  end

  def self.registered(app)
    app.helpers Helpers
    app.set :show_exceptions, :after_handler
    app.error(Unavailable) { halt 503, 'Sign-in isn’t available right now. Try again in a moment.' }

    app.before do
      same = request.env['HTTP_SEC_FETCH_SITE'] == 'same-origin' || request.env['HTTP_ORIGIN'] == origin
      # A POST of another site in the name of a signed-in user.
      halt 403 unless request.safe? || cookie('session').empty? || same
    end

    app.get '/login' do
      verifier = SecureRandom.urlsafe_base64(32)
      challenge = [OpenSSL::Digest::SHA256.digest(verifier)].pack('m0').tr('+/', '-_').delete('=')
      keep("login_#{challenge[0, 8]}", verifier, 900) # The code contains these characters: only this browser can use it.
      query = { redirect_uri: "#{origin}/auth/callback", return_to: inside(params['return_to']), response_type: 'code',
                code_challenge: challenge, code_challenge_method: 'S256' }
      redirect "#{EDGE}/google?#{URI.encode_www_form(query)}", 303
    end

    app.get '/auth/callback' do
      code, back = params['code'].to_s, inside(params['return_to'])
      again = Rack::Utils.escape(back)
      if params['error']
        logins = request.cookies.keys.select { |name| name.start_with?("#{cookie_prefix}login_") }
        keep(logins.first.delete_prefix(cookie_prefix), '') if logins.size == 1 # With more, those in other tabs go on.
        next <<~HTML
          <!doctype html><html lang="en"><meta name="robots" content="noindex"><title>You’re not signed in</title>
          <h1>You’re not signed in</h1><p>#{PROBLEMS.fetch(params['error'].to_s, PROBLEMS['login_failed'])}</p>
          <p><a href="/login?return_to=#{again}">Sign in again</a> <a href="/">Go to the start page</a></p></html>
        HTML
      end
      verifier = cookie("login_#{code[7, 8]}")
      pair = verifier.empty? ? {} : Gatehouse.call('token', { code: code, code_verifier: verifier })
      redirect "/auth/callback?error=expired&return_to=#{again}", 303 unless pair['access_token']
      keep("login_#{code[7, 8]}", '')
      keep('session', "#{pair['access_token']}~#{pair['refresh_token']}~#{SecureRandom.urlsafe_base64(16)}")
      redirect back, 303
    end

    app.post '/logout' do
      access, token = "#{cookie('session')}~".split('~', 3)
      VERIFIED.delete(access)
      keep('session', '')
      Gatehouse.call('logout', { refresh_token: token }) unless token.empty?
      redirect '/', 303
    end
  end
end
