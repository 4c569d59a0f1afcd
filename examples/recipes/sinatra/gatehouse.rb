require 'json'
require 'net/http'
require 'openssl'
require 'securerandom'
require 'sinatra/base'

# Sign-in with Gatehouse: register Gatehouse adds /login, /auth/callback and /logout.
module Gatehouse
  # Beside this file or up to two folders above, wherever the app was started.
  PLACES = %w[. .. ../..].map { |place| File.expand_path(place, __dir__) }
  FILES = %w[.service .service.secret].filter_map do |name|
    PLACES.map { |place| File.join(place, name) }.find { |file| File.file?(file) }
  end
  SETTINGS = FILES.flat_map { |file| File.read(file).scan(/^(\w+)=(\S+)/) }.to_h.merge(ENV.reject { |_, v| v.empty? })
  TENANT, SECRET = SETTINGS['GATEHOUSE_TENANT'] || SETTINGS['tenant_id'], SETTINGS['GATEHOUSE_SECRET']
  TENANT || abort('No .service. Run npx --@gatehouse-auth:registry=<service>/packages/npm/ @gatehouse-auth/local init or set GATEHOUSE_URL and GATEHOUSE_TENANT')
  EDGE = "#{(SETTINGS['GATEHOUSE_URL'] || SETTINGS.fetch('base_url')).chomp('/')}/edge/auth/#{TENANT}"
  PROBLEMS = Hash.new('The sign-in failed, or this app doesn’t accept the account that you chose.').merge(
    'access_denied' => 'You cancelled the sign-in, so nothing was shared with this app.',
    'expired' => 'This sign-in took too long, was already used, or was started in another browser.'
  )
  SIGNED_OUT = { error: { code: 'signedOut', message: 'Sign in first.', login: '/login' } }.to_json
  CALLS = {} # Those under way, and what the service confirmed in the last ten seconds, by Idempotency-Key.
  LOCK = Mutex.new

  # Sent again if there is no response: with the same Idempotency-Key, the service repeats its response.
  def self.post(action, body, key)
    headers = { 'Content-Type' => 'application/json', 'Idempotency-Key' => key }
    2.times do
      response = Timeout.timeout(10) { Net::HTTP.post(URI("#{EDGE}/#{action}"), body, headers) }
      return JSON.parse(response.body) if %w[200 400 401].include?(response.code)
    rescue StandardError
      next
    end
    nil
  end

  module Helpers
    # Equal calls at the same time are one. What the service confirmed is remembered for ten seconds: then a sign-out
    # elsewhere takes effect. A refusal is forgotten at once, so that made-up cookies fill no memory.
    def gatehouse(action, body, key = OpenSSL::Digest::SHA256.hexdigest(body.to_json))
      _, thread = LOCK.synchronize do
        CALLS.delete_if { |_, (began, _)| began < Time.now - 10 }
        CALLS[key] ||= [Time.now, Thread.new { Gatehouse.post(action, body.to_json, key) }]
      end
      result = thread.value
      return result if result && (result['user'] || result['access_token'])
      LOCK.synchronize { CALLS.delete(key) }
      return result if result
      halt 503, 'Sign-in isn’t available right now. Try again in a moment.' # The cookies stay.
    end

    # Where the user is: https, except on this machine. Set APP_URL if a proxy replaces the Host header.
    def origin
      local = request.env['HTTP_HOST'].to_s.match?(/\A(localhost|127\.0\.0\.1|\[::1\])(:\d+)?\z/)
      SETTINGS['APP_URL']&.chomp('/') || "#{local ? 'http' : 'https'}://#{request.env['HTTP_HOST']}"
    end

    # No subdomain can set a __Host- cookie. Ports share cookies, so names of local apps have the port.
    def cookie_prefix = origin.start_with?('https:') ? '__Host-gh_' : "gh_#{origin[/:(\d+)\z/, 1] || 80}_"

    def cookie(name) = request.cookies[cookie_prefix + name].to_s

    def keep(name, value, seconds = 2_592_000)
      headers 'Cache-Control' => 'no-store'
      options = { path: '/', httponly: true, same_site: :lax, secure: origin.start_with?('https:') }
      response.set_cookie(cookie_prefix + name, value: value, max_age: value.empty? ? 0 : seconds, **options)
    end

    # Each token in a cookie that lives as long as it does. bind is random text for the keys of refreshes.
    def keep_session(pair, bind)
      keep('access', pair['access_token'], 3600)
      keep('refresh', "#{pair['refresh_token']}~#{bind}")
    end

    def drop_session = %w[access refresh].each { |name| keep(name, '') }

    def session? = !(cookie('access') + cookie('refresh')).empty?

    # A path inside this app. For browsers, //evil.example and /\evil.example are another site.
    def inside(path) = path.to_s[%r{\A/([!-.0-\[\]-~][!-\[\]-~]{0,1000})?\z}] || '/'

    def verify(token) = token.to_s.empty? ? nil : gatehouse('verify', { access_token: token })['user']

    # A hash with id, email, name and picture, or nil. Refreshes a session with an expired access token.
    def current_user
      headers 'Cache-Control' => 'no-store'
      token, bind = "#{cookie('refresh')}~~".split('~', 3)
      user = verify(cookie('access'))
      return user if user || token.empty?
      # Every process derives the same key: the service refreshes once, and repeats its response to the others.
      mac = OpenSSL::HMAC.hexdigest('SHA256', SECRET || bind, "#{TENANT}\0#{bind}\0#{token}")
      pair = gatehouse('refresh', { refresh_token: token }, SECRET ? "gh1_#{mac}" : mac)
      if pair['access_token']
        keep_session(pair, bind)
      # If it was superseded, another response sets the new cookies.
      elsif pair.dig('error', 'code') != 'refreshTokenSuperseded'
        drop_session
      end
      verify(pair['access_token'])
    end

    # Rejects a POST of another site in the name of a signed-in user.
    def require_own_origin
      halt 403, 'No Origin of this app.' if foreign?
    end

    def foreign?
      site, sender, host, forwarded =
        request.env.values_at('HTTP_SEC_FETCH_SITE', 'HTTP_ORIGIN', 'HTTP_HOST', 'HTTP_X_FORWARDED_HOST')
      return !%w[same-origin none].include?(site) if site
      # A program, or a browser that sends neither: SameSite lets the cookies out for this site only.
      return !session? unless sender
      # A proxy may end TLS or replace the host.
      hosts = [origin[%r{[^/]*\z}], host, (forwarded || host).to_s[/[^,]*/].strip]
      !hosts.include?(sender[%r{[^/]*\z}])
    end

    # True if the browser will show the response. A script can't follow a redirect to the login on another site.
    def navigation?
      mode, accept = request.env.values_at('HTTP_SEC_FETCH_MODE', 'HTTP_ACCEPT').map(&:to_s)
      return mode == 'navigate' unless mode.empty?
      !request.xhr? && (accept.include?('text/html') || !accept.include?('json'))
    end

    # For signed-in users. Others sign in first, and return: to this page, or to / if this isn't a GET. Scripts get 401.
    def require_user
      user = current_user
      return user if user
      halt 401, { 'Content-Type' => 'application/json' }, SIGNED_OUT unless navigation?
      redirect "/login?return_to=#{escape(request.fullpath) if request.get?}"
    end
  end

  def self.registered(app)
    app.helpers Helpers

    app.before { require_own_origin unless request.safe? || !session? }

    app.get '/login' do
      halt 405, { 'Allow' => 'GET' }, '' if request.head? # Programs that check links start no login.
      verifier = SecureRandom.urlsafe_base64(32)
      challenge = [OpenSSL::Digest::SHA256.digest(verifier)].pack('m0').tr('+/', '-_').delete('=')
      keep("login_#{challenge[0, 8]}", verifier, 900) # The code contains these characters.
      query = { redirect_uri: "#{origin}/auth/callback", return_to: inside(params['return_to']),
                response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256' }
      redirect "#{EDGE}/google?#{URI.encode_www_form(query)}", 303
    end

    app.get '/auth/callback' do
      code, back = params['code'].to_s, inside(params['return_to'])
      again = URI.encode_www_form(return_to: back)
      if params['error']
        logins = request.cookies.keys.select { |name| name.start_with?("#{cookie_prefix}login_") }
        # With more, those in other tabs go on.
        keep(logins.first.delete_prefix(cookie_prefix), '') if logins.one?
        redirect back, 303 if current_user # They tried another account, or reloaded this page.
        next <<~HTML
          <!doctype html><html lang="en"><meta name="robots" content="noindex"><title>You’re not signed in</title>
          <meta name="viewport" content="width=device-width"><main><h1>You’re not signed in</h1>
          <p>#{PROBLEMS[params['error'].to_s]}</p>
          <p><a href="/login?#{again}">Sign in again</a> <a href="/">Go to the start page</a></p></main></html>
        HTML
      end
      verifier = cookie("login_#{code[7, 8]}") # Only the browser that started the login has it.
      pair = verifier.empty? ? {} : gatehouse('token', { code: code, code_verifier: verifier })
      redirect "/auth/callback?error=expired&#{again}", 303 unless pair['access_token']
      keep("login_#{code[7, 8]}", '')
      keep_session(pair, SecureRandom.urlsafe_base64(16))
      redirect back, 303
    end

    app.post '/logout' do
      require_own_origin # Also without the cookie, which SameSite keeps back: the response would remove it all the same.
      drop_session
      LOCK.synchronize { CALLS.clear }
      gatehouse('logout', { refresh_token: cookie('refresh').split('~').first.to_s })
      redirect '/', 303
    end
  end
end
