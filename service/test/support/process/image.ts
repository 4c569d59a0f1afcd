import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { freshFolder } from '../postgres/engines.ts'
import { run } from './run.ts'

// Builds images and runs them as root of a Debian machine without Docker: debootstrap makes the base image, buildah builds with
// chroot isolation, and unshare and chroot run the result on a read-only root.

const ROOT = path.resolve(import.meta.dirname, '../../../..')
const CACHE = path.join(ROOT, 'node_modules/.cache/image')
const STORAGE = [
  '--root',
  path.join(CACHE, 'storage'),
  '--runroot',
  path.join(CACHE, 'run'),
  '--storage-driver',
  'vfs',
]
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'

/** Why images can't be built here, as a sentence for `skip`; false if they can. */
export function withoutImages(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return 'debootstrap and chroot need root on Linux'
  }
  const missing = ['buildah', 'debootstrap', 'unshare'].filter(
    (name) => spawnSync(name, ['--version']).error,
  )
  return missing.length > 0 && `not installed: apt-get install ${missing.join(' ')}`
}

export const buildah = (...args: string[]): Promise<string> => run('buildah', [...STORAGE, ...args])

/** A minimal Debian 12 with these packages, unpacked once. Copy it before you change it. */
export async function debian(packages: readonly string[]): Promise<string> {
  const folder = path.join(CACHE, `debian-${packages.join('-')}`)
  if (existsSync(folder)) {
    return folder
  }
  mkdirSync(CACHE, { recursive: true })
  const unfinished = `${folder}.new`
  rmSync(unfinished, { recursive: true, force: true })
  const include = packages.length > 0 ? [`--include=${packages.join(',')}`] : []
  await run('debootstrap', ['--variant=minbase', ...include, 'bookworm', unfinished])
  // debootstrap leaves it to the installer.
  writeFileSync(path.join(unfinished, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost\n')
  await run('mv', [unfinished, folder])
  return folder
}

/** An image with this name that has Node, npm and the user `node`, like the official one that the Dockerfile names. Kept for the next run. */
export async function makeBaseImage(name: string, folder: string): Promise<void> {
  if ((await buildah('images', '--quiet', '--filter', `reference=${name}`)).trim() !== '') {
    return
  }
  await run('cp', ['-a', `${await debian(['ca-certificates'])}/.`, folder])
  copyFileSync(realpathSync(process.execPath), path.join(folder, 'usr/local/bin/node'))
  chmodSync(path.join(folder, 'usr/local/bin/node'), 0o755)
  await run('npm', [
    'install',
    '--global',
    '--prefix',
    path.join(folder, 'usr/local'),
    '--no-audit',
    'npm@11',
  ])
  await run('chroot', [folder, '/usr/sbin/useradd', '--uid', '1000', '--create-home', 'node'])
  const { NODE_EXTRA_CA_CERTS = '' } = trustedCertificates(folder)
  const container = (await buildah('from', 'scratch')).trim()
  await buildah('add', '--quiet', container, folder, '/')
  const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  await buildah(
    'config',
    '--env',
    `PATH=${PATH}`,
    '--env',
    `NODE_EXTRA_CA_CERTS=${NODE_EXTRA_CA_CERTS}`,
    container,
  )
  await buildah('commit', '--quiet', '--format', 'docker', '--rm', container, name)
}

/** Trusts what this machine trusts, in another root: a proxy before the registry may have a certificate of its own. */
export function trustedCertificates(root: string): Readonly<Record<string, string>> {
  if (!existsSync(CERTIFICATES)) {
    return {}
  }
  cpSync(CERTIFICATES, path.join(root, CERTIFICATES))
  return { NODE_EXTRA_CA_CERTS: CERTIFICATES }
}

export interface Image {
  readonly config: {
    readonly User: string
    readonly Cmd: readonly string[]
    readonly WorkingDir: string
    readonly Healthcheck: { readonly Test: readonly string[] }
  }
  /** ENV of the image. */
  readonly environment: Readonly<Record<string, string>>
  /** A volume for /data, with the owner and the mode that the image gives it. */
  volume(): Promise<string>
  /** Runs a command in the image as its user, with a read-only root, a fresh /tmp and this volume at /data. */
  command(volume: string, command: readonly string[]): string[]
}

const IN_IMAGE = [
  'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && mount --bind "$2" "$1/data"',
  'mount -t tmpfs tmpfs "$1/tmp" && mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc"',
  'root=$1 user=$3 folder=$4 && shift 4',
  `exec chroot --userspec="$user" "$root" /bin/sh -c 'cd "$0" && exec "$@"' "$folder" "$@"`,
].join(' && ')

export async function openImage(name: string): Promise<Image> {
  const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', name)) as {
    Docker: { config: Image['config'] & { readonly Env: readonly string[] } }
  }
  const root = (await buildah('mount', (await buildah('from', name)).trim())).trim()
  const { config } = Docker
  return {
    config,
    environment: Object.fromEntries(config.Env.map((each) => each.split('=') as [string, string])),
    async volume() {
      const folder = path.join(await freshFolder(), 'data')
      await run('cp', ['-a', path.join(root, 'data'), folder])
      return folder
    },
    command: (volume, command) =>
      ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', IN_IMAGE, 'sh'].concat(
        [root, volume, config.User, config.WorkingDir],
        command,
      ),
  }
}
