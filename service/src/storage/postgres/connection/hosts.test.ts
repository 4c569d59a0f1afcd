import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Unavailable } from '../../../domain/api-error.ts'
import { ConnectError, Hosts, tryHosts } from './hosts.ts'

const hostsOf = (...names: readonly string[]): Hosts =>
  new Hosts(names.map((name) => `postgres://u:geheim@${name}/x`) as [string, ...string[]], () => {})

/** Fails at every host but the named one, and moves on as a client does. */
function connectTo(hosts: Hosts, usable: string, tried: string[]): () => Promise<string> {
  return async () => {
    const url = hosts.current
    const { host } = new URL(url)
    tried.push(host)
    if (host === usable) {
      return host
    }
    hosts.failed(url)
    throw ConnectError.at(url, new Error('refused'))
  }
}

test('each host is tried once, from the one that worked last', async () => {
  const hosts = hostsOf('a', 'b', 'c')
  const tried: string[] = []
  assert.equal(await tryHosts(hosts, connectTo(hosts, 'b', tried)), 'b')
  assert.equal(await tryHosts(hosts, connectTo(hosts, 'a', tried)), 'a')
  assert.deepEqual(tried, ['a', 'b', 'b', 'c', 'a'])
  const error = await tryHosts(hosts, connectTo(hosts, 'none', [])).catch((error: unknown) => error)
  assert.ok(error instanceof Unavailable)
  assert.equal(error.message, 'a: refused; b: refused; c: refused')
})

test('connections that fail at the same time move on to the next host once', () => {
  const hosts = hostsOf('a', 'b', 'c')
  const url = hosts.current
  hosts.failed(url)
  hosts.failed(url)
  assert.equal(new URL(hosts.current).host, 'b')
})

test('an error that says nothing about the host is not repeated at another', async () => {
  const hosts = hostsOf('a', 'b')
  let calls = 0
  const full = () => {
    calls += 1
    return Promise.reject(new Error('timeout exceeded when trying to connect'))
  }
  await assert.rejects(tryHosts(hosts, full), /timeout exceeded/)
  assert.equal(calls, 1)
})
