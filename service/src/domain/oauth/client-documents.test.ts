import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isClientDocumentUrl } from './client.ts'

test('a client id is the URL of a metadata document only if it is https, with a host and a path, in canonical form', () => {
  for (const id of [
    'https://claude.ai/oauth/claude-code-client-metadata',
    'https://vscode.dev/oauth/client-metadata.json',
    'https://client.example:8443/c?v=2',
    `https://client.example/${'x'.repeat(2_025)}`,
  ]) {
    assert.equal(isClientDocumentUrl(id), true, id)
  }
  for (const id of [
    'https://client.example',
    'https://client.example/',
    'http://client.example/c',
    'HTTPS://client.example/c',
    'https:client.example/c',
    'https://client.example/a/../c',
    'https://client.example/./c',
    'https://client.example/%2e%2e/c',
    'https://client.example/c#x',
    'https://me@client.example/c',
    'https://me:pw@client.example/c',
    'https://:pw@client.example/c',
    'https://CLIENT.example/c',
    'https://client.example:443/c',
    'https://client.example\\c',
    ' https://client.example/c',
    'https://client.example/c\n',
    'https://client.example/a b',
    `https://client.example/${'x'.repeat(2_026)}`,
    'mcp_cl_x',
    '',
  ]) {
    assert.equal(isClientDocumentUrl(id), false, id)
  }
})
