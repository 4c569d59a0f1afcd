import assert from 'node:assert/strict'
import { cpSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { freshFolder } from '../support/postgres/engines.ts'
import { debian, trustedCertificates, withoutImages } from '../support/process/image.ts'
import { nodeOf } from '../support/process/node-versions.ts'
import { run } from '../support/process/run.ts'
import { startService } from '../support/process/service-process.ts'
import { useInstallation } from '../support/process/use-installation.ts'
import { long } from '../support/tags.ts'
import { freePort } from '../support/transport/free-port.ts'

// A minimal Debian with Node 20 and npm and nothing else, in which a normal user has unpacked the repository. Minutes:
// everything is installed from the registry. scripts/setup/explain.test.ts has every message.

const ROOT = path.resolve(import.meta.dirname, '../../..')
const USER = 1000
const MOUNTED =
  'mount --bind "$1" "$1" && mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && exec /usr/sbin/chroot --userspec=1000:1000 "$1" /bin/sh -c "cd /home/ada/gatehouse && exec npm $2"'

describe('a fresh machine', { skip: long || withoutImages() }, () => {
  test('npm start serves, and npm test is green, with a sign-in in Chromium, without git and without a library that a minimal Debian lacks', async (t) => {
    const root = path.join(await freshFolder(), 'root')
    await run('cp', ['-a', await debian(['ca-certificates']), root])
    await installNode(root)
    await run('chroot', [root, '/usr/sbin/useradd', '--uid', String(USER), '--create-home', 'ada'])
    const home = path.join(root, 'home/ada/gatehouse')
    mkdirSync(home)
    await run('/bin/sh', ['-c', `git -C "${ROOT}" archive HEAD | tar x -C "${home}"`])
    await run('chown', ['-R', `${USER}:${USER}`, path.dirname(home)])
    const certificates = trustedCertificates(root)
    const environment = { HOME: '/home/ada', PATH: '/usr/local/bin:/usr/bin:/bin', ...certificates }
    // Nothing of this test run: with NODE_TEST_CONTEXT, the tests of the fresh machine would report to it and wait.
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(NODE|TEST|CHROMIUM)_/.test(name),
    )
    const env = { ...Object.fromEntries(inherited), ...environment }
    const npm = (args: string): string[] => [
      'unshare',
      '--mount',
      '--propagation',
      'private',
      'sh',
      '-c',
      MOUNTED,
      'sh',
      root,
      args,
    ]

    // As the first `npm start` does; a start has less time than an installation.
    const [installer = '', ...installing] = npm('run setup')
    await run(installer, installing, { env })
    const settings = { ...environment, PORT: String(await freePort()), DATA_DIR: './data' }
    const service = await startService(t, settings, { command: npm('start') })
    await useInstallation(service)
    await service.end('SIGTERM')
    const [tester = '', ...testing] = npm('test')
    const output = await run(tester, testing, { env })
    assert.match(output, /^smoke: 1 passed, 0 failed/m)
    assert.match(output, /^\d+ passed, 0 failed/m)
  })
})

/** Node 20 and its npm, as a normal user finds them. */
async function installNode(root: string): Promise<void> {
  const local = path.join(root, 'usr/local')
  cpSync(await nodeOf('20.20.2'), path.join(local, 'bin/node'))
  await run('npm', ['install', '--global', '--prefix', local, '--no-audit', 'npm@10'])
}
