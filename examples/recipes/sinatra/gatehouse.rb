require 'base64'
require 'digest'
require 'erb'
require 'json'
require 'net/http'
require 'openssl'
require 'securerandom'
require 'sinatra/base'
require 'uri'

module Gatehouse
  # Sign-in with Gatehouse. Add it with register Gatehouse; it answers /login, /auth/callback and /logout.
  Unavailable = Class.new(StandardError) # The service can't be asked now. The cookies stay.

  def self.setting(variable, name, file = '.service')
    ENV[variable] || (File.exist?(file) ? File.read(file)[/^#{name}=(\S+)/, 1] : nil)
  end

  SERVICE, TENANT = setting('GATEHOUSE_URL', 'base_url'), setting('GATEHOUSE_TENANT', 'tenant_id')
  SECRET = setting('GATEHOUSE_SECRET', 'GATEHOUSE_SECRET', '.service.secret')
  abort 'Start the app in the folder of .service, or set GATEHOUSE_URL and GATEHOUSE_TENANT.' unless SERVICE && TENANT
  EDGE = "#{SERVICE}/edge/auth/#{TENANT}"
  CACHE_SECONDS = 10 # A sign-out at another server takes effect after at most this time.
  PROBLEMS = {
    'access_denied' => 'You cancelled the sign-in, so nothing was shared with this app.',
    'expired' => 'This sign-in took too long, was already used, or was started in another browser.',
    'login_failed' => 'The sign-in failed, or this app doesn’t accept the account that you chose.'
  }.freeze
  VERIFIED, FLIGHTS, LOCK = {}, {}, Mutex.new

  # Sent again if there is no response: with the same Idempotency-Key, the service repeats its response.
  def self.call(action, body, key = SecureRandom.urlsafe_base64)
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

  def self.sha256(text)
    Base64.urlsafe_encode64(Digest::SHA256.digest(text), padding: false)
  end

  def self.verify(token)
    user, till = LOCK.synchronize { VERIFIED[token] }
    now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    return user if token.empty? || (till && now < till)
    user = call('verify', { access_token: token })['user']
    LOCK.synchronize do
      VERIFIED.clear if VERIFIED.size >= 10_000
      VERIFIED[token] = [user, now + CACHE_SECONDS]
    end
    user
  end

  # Requests at the same time share one call. Other processes derive the same key, and get the same pair.
  def self.refresh(token, bind)
    mac = OpenSSL::HMAC.digest('SHA256', SECRET || bind, "#{TENANT}\0#{bind}\0#{token}")
    key = "#{'gh1_' if SECRET}#{Base64.urlsafe_encode64(mac, padding: false)}"
    flight = LOCK.synchronize do
      FLIGHTS[key] ||= Thread.new do
        Thread.current.report_on_exception = false
        call('refresh', { refresh_token: token }, key)
      ensure
        LOCK.synchronize { FLIGHTS.delete(key) }
      end
    end
    flight.value
  end

  module Helpers
    # Where the user is: https, except on this machine. Set APP_URL behind a proxy that replaces the Host header.
    def origin
      host = request.env['HTTP_HOST'].to_s
      local = host.match?(/\A(localhost|127\.0\.0\.1|\[::1\])(:\d+)?\z/)
      ENV['APP_URL'] || "#{local ? 'http' : 'https'}://#{host}"
    end

    # No subdomain can set a __Host- cookie. Ports share cookies, so the names of local apps have the port.
    def cookie_prefix
      origin.start_with?('https:') ? '__Host-gh_' : "gh_#{origin.rpartition(':').last}_"
    end

    def cookie(name)
      request.cookies[cookie_prefix + name].to_s
    end

    def keep(name, value, seconds)
      headers 'Cache-Control' => 'no-store'
      response.set_cookie(cookie_prefix + name, value: value, max_age: value.empty? ? 0 : seconds, path: '/',
                                                httponly: true, same_site: :lax, secure: origin.start_with?('https:'))
    end

    def keep_session(pair, bind)
      keep('access', pair['access_token'].to_s, 3600)
      keep('refresh', pair['refresh_token'].to_s, 2_592_000)
      keep('bind', bind, 2_592_000)
    end

    # A path inside this app. Browsers take //evil.example and /\evil.example for another site.
    def inside(path)
      path.is_a?(String) && path.length <= 1024 && path.match?(%r{\A/([!-.0-\[\]-~][!-\[\]-~]*)?\z}) ? path : '/'
    end

    # A hash with id, email, name and picture, or nil. Refreshes a session whose access token has expired.
    def current_user
      return @gatehouse_user if defined?(@gatehouse_user)
      headers 'Cache-Control' => 'no-store'
      user = Gatehouse.verify(cookie('access'))
      if user.nil? && !cookie('refresh').empty?
        bind = cookie('bind').empty? ? SecureRandom.urlsafe_base64(16) : cookie('bind')
        pair = Gatehouse.refresh(cookie('refresh'), bind)
        if pair['access_token']
          keep_session(pair, bind)
          user = Gatehouse.verify(pair['access_token'])
        elsif pair['error']['code'] != 'refreshTokenSuperseded' # Then another response sets the new cookies.
          keep_session({}, '')
        end
      end
      @gatehouse_user = user
    end

    # For pages of signed-in users.
    def require_user
      current_user || redirect("/login?return_to=#{ERB::Util.url_encode(request.fullpath)}", 303)
    end
  end

  def self.registered(app)
    app.helpers Helpers
    app.set :show_exceptions, :after_handler
    app.error(Unavailable) { halt 503, 'Sign-in isn’t available right now. Try again in a moment.' }

    app.before do
      same = request.env['HTTP_SEC_FETCH_SITE'] == 'same-origin' || request.env['HTTP_ORIGIN'] == origin
      # A POST of another site in the name of a signed-in user.
      halt 403 unless request.safe? || cookie('refresh').empty? || same
    end

    app.get '/login' do
      verifier = SecureRandom.urlsafe_base64(32)
      challenge = Gatehouse.sha256(verifier)
      keep("login_#{challenge[0, 8]}", verifier, 900) # The code contains these characters: only this browser can use it.
      query = { redirect_uri: "#{origin}/auth/callback", return_to: inside(params['return_to']), response_type: 'code',
                code_challenge: challenge, code_challenge_method: 'S256' }
      redirect "#{EDGE}/google?#{URI.encode_www_form(query)}", 303
    end

    app.get '/auth/callback' do
      code, back = params['code'].to_s, inside(params['return_to'])
      if params['error']
        logins = request.cookies.keys.select { |name| name.start_with?("#{cookie_prefix}login_") }
        keep(logins.first.delete_prefix(cookie_prefix), '', 0) if logins.size == 1 # With more, those in other tabs go on.
        text = PROBLEMS.fetch(params['error'].to_s, PROBLEMS['login_failed'])
        next <<~HTML
          <!doctype html><html lang="en"><meta name="robots" content="noindex"><title>You’re not signed in</title>
          <h1>You’re not signed in</h1><p>#{text}</p><form action="/login"><input type="hidden" name="return_to"
          value="#{ERB::Util.html_escape(back)}"><button>Sign in again</button></form><a href="/">Go to the start page</a></html>
        HTML
      end
      name = "login_#{code[7, 8]}"
      verifier = cookie(name)
      exchange = { code: code, code_verifier: verifier }
      pair = verifier.empty? ? {} : Gatehouse.call('token', exchange, Gatehouse.sha256("exchange #{verifier}"))
      redirect "/auth/callback?error=expired&return_to=#{ERB::Util.url_encode(back)}", 303 unless pair['access_token']
      keep(name, '', 0)
      keep_session(pair, SecureRandom.urlsafe_base64(16))
      redirect back, 303
    end

    app.post '/logout' do
      LOCK.synchronize { VERIFIED.delete(cookie('access')) }
      keep_session({}, '')
      Gatehouse.call('logout', { refresh_token: cookie('refresh') }) unless cookie('refresh').empty?
      redirect '/', 303
    end
  end
end
