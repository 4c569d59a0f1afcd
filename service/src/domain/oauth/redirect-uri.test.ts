import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  appendParameters,
  isLoopbackRedirect,
  matchesRedirect,
  redirectUriProblem,
} from './redirect-uri.ts'

const VALID = [
  'https://client.example.com/callback',
  'https://client.example.com',
  'https://client.example.com:8443/cb?tenant=1',
  'http://localhost/callback',
  'http://localhost:8787/callback',
  'http://127.0.0.1/',
  'http://127.0.0.1:33418',
  'http://[::1]:7/callback',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'com.example.app:/oauth2redirect',
  'vscode://vscode.github-authentication/did-authenticate',
  'my+app.v2-x://cb',
  'msauth.com.example.app://auth',
  'searchlight://cb',
  `https://client.example.com/${'x'.repeat(2_021)}`,
]

const INVALID = [
  '',
  'callback',
  '/callback',
  '//client.example.com/cb',
  'http://client.example.com/cb',
  'http://localhost.evil.example/cb',
  'http://127.0.0.1.evil.example/cb',
  'http://127.0.0.1@evil.example/cb',
  'http://0.0.0.0/cb',
  'http://10.0.0.1/cb',
  'https:client.example.com/cb',
  'https:///cb',
  'https://',
  'https://user@client.example.com/cb',
  'https://user:pw@client.example.com/cb',
  'https://@client.example.com/cb',
  'com.example.app://:pw@host/cb',
  'https://a@b@client.example.com/cb',
  'https://client.example.com%2eevil.example/cb',
  'https://client.example.com\\@evil.example/cb',
  'https://client.example.com/cb#',
  'https://client.example.com/cb#fragment',
  'https://*.example.com/cb',
  'https://client.example.com/*',
  'https://client.example.com/c b',
  'https://client.example.com/cb\n',
  ' https://client.example.com/cb',
  'https://clïent.example.com/cb',
  'https://client.example.com/cb?code=1',
  'https://client.example.com/cb?a=1&STATE=x',
  'https://client.example.com/cb?is%73=x',
  'javascript:alert(1)',
  'JaVaScRiPt://client.example.com/%0aalert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'vbscript:x',
  'blob:https://client.example.com/x',
  'about:blank',
  'ws://client.example.com/',
  'wss://client.example.com/',
  'ftp://client.example.com/',
  'mailto:x@example.com',
  'intent://x#Intent;end',
  'search-ms:query=x&crumb=location:%5C%5Cevil.example%5Cshare',
  'search:query=x',
  'SEARCH-MS:query=x',
  'ms-word:ofe%7Cu%7Chttps://evil.example/x.docm',
  'Ms-Excel:ofv%7Cu%7Chttps://evil.example/x.xlsm',
  'ms-msdt:/id',
  'ms-appinstaller:?source=https://evil.example/x.msix',
  'ms-officecmd:x',
  'ms-settings:x',
  'microsoft-edge:https://evil.example/',
  'microsoft.windows.camera:x',
  'shell:startup',
  'hcp://x',
  'onenote:https://evil.example/x',
  'jnlp://evil.example/x.jnlp',
  'smb://evil.example/share',
  'itms-services://x',
  'applescript://x',
  'ssh://evil.example',
  'cursor:',
  'cursor://user@host/cb',
  'x-apple.systempreferences:com.apple.preference',
  'x-help-action://openApp',
  'X-Man-Page://ls',
  `https://client.example.com/${'x'.repeat(2_022)}`,
]

test('a redirect URI may be https, loopback http, or a private-use scheme', () => {
  for (const uri of VALID) {
    assert.equal(redirectUriProblem(uri), null, uri)
  }
})

// proves D6
test('a redirect URI that is ambiguous or could run a script is rejected with a reason', () => {
  for (const uri of INVALID) {
    assert.match(redirectUriProblem(uri) ?? '', /^A redirect URI .+\.$/, uri)
  }
})

/** [registered, requested, matches] */
const PAIRS: readonly [string, string, boolean][] = [
  ['https://a.example/cb', 'https://a.example/cb', true],
  ['https://a.example/cb', 'https://a.example/cb/', false],
  ['https://a.example/cb', 'https://a.example/CB', false],
  ['https://a.example/cb', 'https://A.example/cb', false],
  ['https://a.example/cb', 'https://a.example:443/cb', false],
  ['https://a.example/cb', 'https://a.example:8443/cb', false],
  ['https://a.example/cb', 'https://a.example/cb?x', false],
  ['https://a.example/cb', 'https://a.example/%63b', false],
  ['https://a.example', 'https://a.example/', false],
  ['http://localhost/cb', 'http://localhost:51234/cb', true],
  ['http://127.0.0.1/cb?x=1', 'http://127.0.0.1:1/cb?x=1', true],
  ['http://127.0.0.1/', 'http://127.0.0.1:33418/', true],
  ['http://[::1]/cb', 'http://[::1]:65535/cb', true],
  ['http://localhost/cb', 'http://localhost/cb', true],
  ['http://localhost/cb', 'http://127.0.0.1:1/cb', false],
  ['http://127.0.0.1/cb', 'http://localhost:1/cb', false],
  ['http://127.0.0.1/cb', 'http://[::1]:1/cb', false],
  ['http://localhost/cb', 'https://localhost:1/cb', false],
  ['https://localhost/cb', 'https://localhost:1/cb', false],
  ['http://localhost/cb', 'http://localhost:1/cb2', false],
  ['http://localhost/cb', 'http://localhost:1/cb?x', false],
  ['http://localhost/cb?x', 'http://localhost:1/cb', false],
  ['http://localhost/cb', 'http://localhost:0/cb', false],
  ['http://localhost/cb', 'http://localhost:01/cb', false],
  ['http://localhost/cb', 'http://localhost:65536/cb', false],
  ['http://localhost/cb', 'http://localhost:/cb', false],
  ['http://localhost/cb', 'http://localhost:1@evil.example/cb', false],
  ['http://localhost/cb', 'http://localhost:1.evil.example/cb', false],
  ['http://localhost/cb', 'http://LOCALHOST:1/cb', false],
  ['http://localhost:3000/cb', 'http://localhost:3000/cb', true],
  ['http://localhost:3000/cb', 'http://localhost:3001/cb', false],
  ['http://localhost:3000/cb', 'http://localhost/cb', false],
  ['cursor://x/cb', 'cursor://x/cb', true],
  ['cursor://x/cb', 'cursor://x:1/cb', false],
]

test('a redirect URI is compared byte for byte; a loopback one without a port matches any port', () => {
  for (const [registered, requested, matches] of PAIRS) {
    assert.equal(
      matchesRedirect(['https://other.example/', registered], requested),
      matches,
      `${registered} ${requested}`,
    )
  }
  assert.equal(matchesRedirect([], 'https://a.example/cb'), false)
})

test('only addresses of this machine count as loopback', () => {
  for (const uri of [
    'http://localhost/',
    'http://127.0.0.1:1',
    'http://[::1]/',
    'http://LOCALHOST/',
    'https://localhost/',
  ]) {
    assert.equal(isLoopbackRedirect(uri), true, uri)
  }
  for (const uri of [
    'https://localhost.example/',
    'app://localhost/',
    'https://a.example',
    'nonsense',
  ]) {
    assert.equal(isLoopbackRedirect(uri), false, uri)
  }
})

test('the response is appended to the query of a redirect URI, and the rest stays unchanged', () => {
  const response = { code: 'a b&c', state: null, iss: 'https://x' }
  for (const [uri, whole] of [
    ['https://a.example/cb', 'https://a.example/cb?code=a+b%26c&iss=https%3A%2F%2Fx'],
    ['https://a.example/cb?', 'https://a.example/cb?code=a+b%26c&iss=https%3A%2F%2Fx'],
    ['https://a.example/cb?x=%2F', 'https://a.example/cb?x=%2F&code=a+b%26c&iss=https%3A%2F%2Fx'],
    ['https://a.example/cb?x&', 'https://a.example/cb?x&code=a+b%26c&iss=https%3A%2F%2Fx'],
    ['app:/cb', 'app:/cb?code=a+b%26c&iss=https%3A%2F%2Fx'],
  ] as const) {
    assert.equal(appendParameters(uri, response), whole)
  }
})
