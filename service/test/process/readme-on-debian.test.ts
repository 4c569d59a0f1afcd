import assert from 'node:assert/strict'
import { cpSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { freshFolder } from '../support/postgres/engines.ts'
import { debian, trustedCertificates, withoutImages } from '../support/process/image.ts'
import { nodeOf } from '../support/process/node-versions.ts'
import { commandsOf } from '../support/process/package-managers.ts'
import { readmeLines } from '../support/process/readme.ts'
import { run } from '../support/process/run.ts'
import { startService } from '../support/process/service-process.ts'
import { long } from '../support/tags.ts'
import { freePort } from '../support/transport/free-port.ts'

// The lines of the README as a stranger runs them: in a minimal Debian with one Node, one npm and nothing else. A few minutes:
// everything is installed from the registry. workshop/interop/package-managers.test.ts needs no Debian.

const ROOT = path.resolve(import.meta.dirname, '../../..')
const IN_ROOT =
  'mount --bind "$1" "$1" && mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && exec /usr/sbin/chroot --userspec=1000:1000 "$1" /bin/sh -ec "$2"'

/** The first npm installs and starts the service. npm 12 needs Node 22 or newer. */
const MACHINES = [
  { node: '20.20.2', npms: ['10.9.9', '9.9.4', '11.21.2'] },
  { node: '24.21.0', npms: ['12.2.0', '9.9.4', '10.9.9', '11.21.2'] },
] as const

/** Needs the SDK, and what init wrote. */
const PRINT_LOGIN_URL = `node -e "import('@gatehouse-auth/sdk').then(({ createClient }) => console.log(createClient().loginUrl()))"`

describe('a Debian with nothing but Node and npm', { skip: long || withoutImages() }, () => {
  for (const { node, npms } of MACHINES) {
    test(`the lines of the README start the service with Node ${node} and npm ${npms[0]}, and add sign-in to an app with npm ${npms.join(', ')}`, async (t) => {
      const root = await debianWith(node, npms)
      const certificates = trustedCertificates(root)
      const PORT = String(await freePort())

      /** A command line of user ada in a folder of hers, with one npm and its home. */
      const command = (npm: string, folder: string, line: string): string[] => {
        const home = `/home/ada/npm-${npm}`
        const commands = `/opt/npm-${npm}/node_modules/.bin:/usr/local/bin:/usr/bin:/bin`
        const settings = `export HOME=${home} PATH=${commands}; mkdir -p ${home} ${folder}; cd ${folder}`
        const shell = ['sh', '-c', IN_ROOT, 'sh', root, `${settings}; ${line}`]
        return ['unshare', '--mount', '--propagation', 'private', ...shell]
      }
      const shell = (npm: string, folder: string, line: string): Promise<string> => {
        const [program = '', ...args] = command(npm, folder, line)
        return run(program, args, { env: { PATH: process.env.PATH, ...certificates } })
      }

      // As the first `npm start` does; a start has less time than an installation.
      const repository = '/home/ada/gatehouse'
      await shell(npms[0], repository, 'npm run setup')
      const settings = { PORT, ...certificates }
      await startService(t, settings, { command: command(npms[0], repository, 'exec npm start') })

      const [init = '', install = ''] = readmeLines('Add sign-in to your app', PORT)
      for (const npm of npms) {
        const folder = `/home/ada/app-${npm}`
        await shell(npm, folder, init)
        await shell(npm, folder, install)
        await shell(npm, folder, 'rm -r node_modules; npm ci')
        assert.match(
          await shell(npm, folder, PRINT_LOGIN_URL),
          new RegExp(`^http://localhost:${PORT}/edge/auth/[a-z0-9-]+/google\\n$`),
        )
        assert.match(await shell(npm, folder, 'npx @gatehouse-auth/local status'), /guest/)
      }
    })
  }
})

/** A Debian with one Node, these versions of npm in /opt, and the repository in the home of ada, who is user 1000. */
async function debianWith(node: string, npms: readonly string[]): Promise<string> {
  const root = path.join(await freshFolder(), 'root')
  await run('cp', ['-a', await debian(['ca-certificates']), root])
  cpSync(await nodeOf(node), path.join(root, 'usr/local/bin/node'))
  for (const version of npms) {
    const installed = path.resolve(await commandsOf('npm', version), '../..')
    await run('cp', ['-a', installed, path.join(root, `opt/npm-${version}`)])
  }

  await run('chroot', [root, '/usr/sbin/useradd', '--uid', '1000', '--create-home', 'ada'])
  const home = path.join(root, 'home/ada/gatehouse')
  mkdirSync(home)
  await run('/bin/sh', ['-c', `git -C "${ROOT}" archive HEAD | tar x -C "${home}"`])
  await run('chown', ['-R', '1000:1000', path.dirname(home)])
  return root
}
