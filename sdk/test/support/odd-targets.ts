import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/**
 * Spellings of a path that some router, proxy or file server reads as the same page. Each character stands for one byte on
 * the wire.
 */
function spellingsOf(path: string): string[] {
  const name = path.slice(1)
  const first = name.charCodeAt(0).toString(16)
  const rest = name.slice(1)
  const upper = name.toUpperCase()
  return [
    ...[path, `/${upper}`, `/${name[0]?.toUpperCase()}${rest}`, `${path}/`, `${path}//`],
    ...[`/${path}`, `//${path}`, `/.${path}`, `/x/..${path}`, `/../..${path}`, `${path}/.`],
    ...[`${path}/..${path}`, `${path}/x/..`, `/%2e${path}`, `/x/%2e%2e${path}`, `/x%2f..${path}`],
    ...[`/%${first}${rest}`, `/%25${first}${rest}`, `/%2525${first}${rest}`, `/%2f${name}`],
    ...[`%2f${name}`, `/%5c${name}`, `\\${name}`, `/\\${name}`, `\\\\${name}`, `/x/..\\${name}`],
    ...[`${path}\\`, `${path}%5c`, `${path}%2f`, `${path}%2F7`, `${path}/7`, `${path}\\7`],
    ...[`${path};`, `${path};x=1`, `${path};/`, `/;x${path}`, `/..;${path}`, `${path}%3b`],
    ...[`${path}?`, `${path}?x`, `${path}??`, `${path}?/../x`, `${path}%3f`, `/?${path}`],
    ...[`${path}#`, `${path}#/../x`, `/#${path}`, `${path}%23`, `/x#/..${path}`, `/x?/..${path}`],
    ...[`${path}%00`, `${path}\0`, `/\0${name}`, `${path}%0a`, `${path}%0d%0a`, `${path}%09`],
    ...[`${path}\t`, `/\t${name}`, `\t${path}`, `/\t${path}`, `${path}\x0b`, `${path}\x0c`],
    ...[`${path}%20`, `${path}+`, `${path}\xa0`, `\xa0${path}`, `${path}\xc2\xa0`, `${path}%a0`],
    ...[`${path}%c2%a0`, `${path}\xef\xbb\xbf`, `${path}%ef%bb%bf`, `${path}\x85`, `${path}\x7f`],
    ...[`${path}%`, `${path}%zz`, `${path}%u0000`, `${path}/%zz`, `/%zz/..${path}`, `${path}%e0`],
    ...[`/%c0%af${name}`, `/%c0%ae%c0%ae${path}`, `${path}%c0%af`, `/x%c0%ae.${path}`],
    ...[`/${name}%cc%88`, `/\xef\xbd\x8e${rest}`, `/%ef%bd%8e${rest}`, `${path}%e2%80%8b`],
    ...[`${path}.`, `${path}./`, `${path}.data`, `${path}.html`, `${path}.json`, `${path}.rsc`],
    ...[`${path}/index`, `${path}/index.html`, `${path}/__data.json`, `${path}/_.data`],
    ...[`${path}/_payload.json`, `/_root.data`, `/_next/data/x${path}.json`, `${path}.segments/x`],
    ...[`${path}::$DATA`, `${path}~1`, `${path}*`, `/*${path}`, `/:x${path}`, `/{${name}}`],
    ...[`${path}|`, `${path}"`, `/<${name}>`, `${path}^`, `${path}\``, `${path}@`, `/@${path}`],
  ]
}

/** What may stand before the path: RFC 9112, section 3.2, and what a lenient parser takes for it. */
const BEFORE: readonly string[] = [
  ...['http://localhost', 'http://localhost:1', 'https://other.example', 'HTTP://LOCALHOST'],
  ...[
    'http://a:99999',
    'http://a:-1',
    'http://a:x',
    'http://a:',
    'http://a:0x50',
    'http://a:80:80',
  ],
  ...['http://user@a', 'http://user:pass@a', 'http://@a', 'http://a@b@c', 'http://[::1]'],
  ...[
    'http://[bad',
    'http://]',
    'http://a..b',
    'http://.',
    'http://%zz',
    'http://a%00',
    'http://*',
  ],
  ...[
    'http://',
    'http:/',
    'http:',
    'http:///a',
    'http:\\\\a',
    'http://a\\',
    'http://a?x',
    'http://a#x',
  ],
  ...['http://a?', 'http://a;x', 'http://1.2.3.999', 'http://\xe4', 'http://xn--a', 'http://a_b'],
  ...[
    'ftp://a',
    'ws://a',
    'file://',
    'javascript://a',
    'about:',
    'data:,',
    'x://a',
    'x:',
    'httpx://a',
  ],
  ...[
    '//a',
    '//a:99999',
    '//user@a',
    '//[bad',
    '/\\a',
    '\\\\a',
    '///a',
    '//a?',
    '//a;',
    '//.',
    '//..',
  ],
  ...['*', '.', 'localhost', 'localhost:80', 'a@b', '?', '#', ';', '%', '%2f', '%5c', ' ', '@a'],
]

/** Paths with which each of `BEFORE` is combined. */
const COMBINED = (path: string): readonly string[] => [
  path,
  `${path}/`,
  `${path}/7`,
  `${path.toUpperCase()}/`,
  `/${path}`,
  `/x/..${path}`,
  `${path}?x`,
  `${path};x`,
  `\\${path.slice(1)}`,
  `${path}%2f`,
]

/** Request targets that could reach `path` past a guard that reads them differently from the router. */
export function oddTargets(path: string): readonly string[] {
  const long = 'x'.repeat(4_000)
  const combined = BEFORE.flatMap((before) => COMBINED(path).map((each) => before + each))
  const lengthy = [
    `${path}?${long}`,
    `${path}/${long}`,
    `${path};${long}`,
    `/${long}/..${path}`,
    `${'/.'.repeat(2_000)}${path}`,
    `${'/x/..'.repeat(800)}${path}`,
    `${'/'.repeat(4_000)}${path}`,
    `${path}${'/'.repeat(4_000)}`,
    `http://${long}${path}`,
    `http://a:${'9'.repeat(4_000)}${path}`,
  ]
  return [...new Set([...spellingsOf(path), ...combined, ...lengthy])]
}

/** Sends the target as it is: `fetch` would resolve it. The response, or '' if the server closed the connection. */
export async function sendRaw(
  port: number,
  { method, target }: { readonly method: string; readonly target: string },
): Promise<string> {
  const socket = connect(port, 'localhost')
  const head = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    'Origin: http://localhost',
    'Accept: text/html',
    'Content-Length: 0',
    'Connection: close',
  ]
  socket.write(Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'))
  // A server that refuses a request may reset the connection.
  return text(socket).catch(() => '')
}
