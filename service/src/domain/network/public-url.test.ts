import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPublicUrl } from './public-url.ts'

const PUBLIC = 'https://sign-in.example.com'
const problemOf = (text: string, baseUrl = PUBLIC): string | null => {
  const read = readPublicUrl(text, baseUrl)
  return read.ok ? null : read.problem
}

test('a request of a public service goes to a public host name by https, to port 443 or one that is not privileged', () => {
  for (const url of [
    'https://hooks.example.com/x?y=1',
    'https://hooks.example.com:443/',
    'https://a.example:1024/',
  ]) {
    assert.equal(problemOf(url), null, url)
  }
  for (const port of [1, 22, 80, 1_023]) {
    assert.equal(problemOf(`https://a.example:${port}/`), 'Use port 443, or one above 1023.')
  }
})

test('a user name, a password and a fragment are rejected, also empty ones', () => {
  for (const url of [
    'https://me@a.example/',
    'https://:secret@a.example/',
    'https://me:secret@a.example/',
  ]) {
    assert.equal(problemOf(url), 'Leave user name and password out of the URL.', url)
  }
  for (const url of ['https://a.example/#x', 'https://a.example/#']) {
    assert.equal(problemOf(url), 'A fragment is never sent. Leave it out.', url)
  }
})

test('only a service on this machine may send requests to others there, and by http', () => {
  assert.equal(problemOf('http://localhost:3000/hook', 'http://localhost:8787'), null)
  for (const [url, base] of [
    ['https://localhost:3000/', 'http://localhost:8787'],
    ['http://localhost:3000/', PUBLIC],
    ['http://10.0.0.1/', 'http://localhost:8787'],
  ] as const) {
    assert.notEqual(problemOf(url, base), null, url)
  }
})
