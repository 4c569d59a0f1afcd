import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { canUnpackDebian, commandOf, unpackedPackages } from '../support/actors/debian-program.ts'
import { freshFolder } from '../support/postgres/engines.ts'
import {
  type Compose,
  type ComposeService,
  interpolate,
  readCompose,
} from '../support/process/compose.ts'
import { readDockerfile } from '../support/process/dockerfile.ts'
import { run } from '../support/process/run.ts'
import { startService } from '../support/process/service-process.ts'
import { findProxy } from '../support/proxies/proxy.ts'
import { long } from '../support/tags.ts'
import { TEST_TLS } from '../support/transport/tls.ts'

// The first tests ask docker-compose, where it is installed, and podman-compose whether the file is valid. The others parse it,
// compare it with the Dockerfile, the settings and nginx.conf, and run nginx's command. image.test.ts runs the instances. Not run:
// the images of PostgreSQL and nginx themselves, whose registry the tests don't use; Debian's programs take their place.

const DEPLOY = path.resolve(import.meta.dirname, '../../../deploy')
const read = (file: string): string => readFileSync(path.join(DEPLOY, file), 'utf8')
const SECRETS = {
  POSTGRES_PASSWORD: 'password',
  GOOGLE_CLIENT_ID: 'id',
  GOOGLE_CLIENT_SECRET: 'secret',
}
const compose: Compose = readCompose(interpolate(read('compose.yaml'), SECRETS))
const service = (name: string): ComposeService => {
  const found = compose.services[name]
  assert.ok(found, `the service ${name}`)
  return found
}
const addressOf = (name: string): string => service(name).networks.gatehouse?.ipv4_address ?? ''
const INSTANCES = ['gatehouse-1', 'gatehouse-2']
const dockerfile = readDockerfile(read('../Dockerfile'))
const inImage = (name: string): string =>
  dockerfile.findLast((each) => each.name === name)?.rest ?? ''
const imageEnvironment = Object.fromEntries(
  inImage('ENV')
    .split(/\s+/)
    .map((pair) => pair.split('=') as [string, string]),
)

test('compose.yaml is valid for Compose', {
  skip:
    spawnSync('docker-compose', ['--version']).error &&
    'docker-compose is not installed: apt-get install docker-compose',
}, async () => {
  const file = path.join(await freshFolder(), 'compose.yaml')
  const config = (text: string): Promise<string> => {
    writeFileSync(file, text)
    return run('docker-compose', ['--file', file, 'config'], {
      env: { ...process.env, ...SECRETS },
    })
  }
  // Debian's docker-compose, a program of its own that needs no Docker, is older than the field `name`.
  const text = read('compose.yaml').replace(/^name: .*\n/m, '')
  assert.match(await config(text), /gatehouse-2:/)
  await assert.rejects(
    config(text.replace('restart:', 'restarts:')),
    /Unsupported config option|restarts/,
  )
})

test('compose.yaml is valid for podman-compose, which reads the services as Compose does and names a missing secret', {
  skip:
    long ||
    (spawnSync('python3', ['--version']).error &&
      'python3 is not installed: apt-get install python3'),
}, async (t) => {
  if (!(await canUnpackDebian())) {
    return t.skip('there is no apt-get to unpack podman-compose')
  }
  // Debian 12 has 1.0.3, which has no `config` and rejects addresses in networks.
  const unpacked = await unpackedPackages(
    'podman-compose',
    ['podman-compose'],
    'usr/bin/podman-compose',
    'trixie',
  )
  const PYTHONPATH = path.join(unpacked, 'usr/lib/python3/dist-packages')
  // A dry run: otherwise it asks podman for its version, which `config` doesn't need.
  const config = (secrets: object): Promise<string> =>
    run(
      'python3',
      ['-m', 'podman_compose', '--dry-run', '--file', path.join(DEPLOY, 'compose.yaml'), 'config'],
      {
        env: { ...process.env, ...secrets, PYTHONPATH },
      },
    )
  const { services } = readCompose(await config(SECRETS))
  const fieldsOf = ({
    image,
    environment,
    networks,
    volumes,
    depends_on,
    healthcheck,
  }: ComposeService) => ({
    image,
    environment,
    networks,
    volumes,
    depends_on,
    healthcheck,
  })
  for (const name of [...INSTANCES, 'postgres', 'nginx']) {
    assert.deepEqual(fieldsOf(services[name] ?? assert.fail(name)), fieldsOf(service(name)), name)
  }
  const { POSTGRES_PASSWORD: _, ...others } = SECRETS
  await assert.rejects(config(others), /letters and digits/)
})

test('compose.yaml: the settings of both instances are valid, and name its PostgreSQL and its nginx', () => {
  const known = [...read('../.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name)
  for (const name of INSTANCES) {
    const { environment = {}, build = '', image } = service(name)
    assert.deepEqual(
      Object.keys(environment).filter((each) => !known.includes(each)),
      [],
    )
    const settings = readConfig({ ...imageEnvironment, ...environment })
    assert.ok(settings.ok, settings.ok ? '' : settings.problems.join('\n'))
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = service('postgres').environment ?? {}
    assert.equal(
      settings.config.databaseUrl,
      `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@postgres/${POSTGRES_DB}`,
    )
    assert.equal(environment.TRUSTED_PROXIES, addressOf('nginx'))
    assert.ok(read('nginx.conf').includes(`server_name ${new URL(settings.config.baseUrl).host};`))
    assert.ok(existsSync(path.join(DEPLOY, build, 'Dockerfile')))
    assert.equal(image, 'gatehouse')
  }
})

test('compose.yaml: nginx runs nginx.conf, whose upstreams, port and files are those of the services', () => {
  const upstreams = [...read('nginx.conf').matchAll(/^ {2}server (\S+)/gm)].map(
    ([, address]) => address,
  )
  assert.deepEqual(
    upstreams,
    INSTANCES.map((name) => `${addressOf(name)}:${inImage('EXPOSE')}`),
  )
  assert.equal(imageEnvironment.PORT, inImage('EXPOSE'))
  const { ports, volumes = [] } = service('nginx')
  const [, listens] = /listen (\d+) ssl/.exec(read('nginx.conf')) ?? []
  assert.deepEqual(ports, [`${listens}:${listens}`])
  for (const name of [...INSTANCES, 'postgres']) {
    assert.equal(service(name).ports, undefined, 'only nginx is reachable')
  }

  const mounted = new Map(
    volumes.map((each) => each.split(':').slice(0, 2) as [string, string]).map(([a, b]) => [b, a]),
  )
  assert.equal(mounted.get('/etc/nginx/conf.d/default.conf'), './nginx.conf')
  for (const [, file = ''] of read('nginx.conf').matchAll(/ssl_certificate(?:_key)? (\S+);/g)) {
    assert.equal(mounted.get(file), `./${path.basename(file)}`)
  }
  for (const [, file = ''] of read('nginx.conf').matchAll(/(?:access|error)_log (\S+)/g)) {
    assert.ok(mounted.has(path.dirname(file)), file)
  }
})

/** As the files of an image lie over its own, which are changed in memory only. */
const IN_CONTAINER = [
  'for address in $ADDRESSES; do ip addr add "$address/24" dev lo; done && ip link set lo up',
  'mount -t tmpfs tmpfs "$WORK" && mkdir "$WORK/etc" "$WORK/etc.work" "$WORK/var" "$WORK/var.work" "$WORK/run"',
  'mount -t overlay overlay -o "lowerdir=/etc,upperdir=$WORK/etc,workdir=$WORK/etc.work" /etc',
  'mount -t overlay overlay -o "lowerdir=/var,upperdir=$WORK/var,workdir=$WORK/var.work" /var',
  'mount --bind "$WORK/run" /run',
  'cp -r "$NGINX/etc/nginx" /etc/ && mkdir -p /var/log/nginx /var/lib/nginx /etc/ssl',
  'while read -r from to; do cp "$from" "$to"; done <"$MOUNTED"',
  'exec "$@"',
].join(' && ')

test('compose.yaml: the command of nginx with the mounted files serves TLS at its address and forwards to both instances', {
  skip:
    long ||
    ((process.platform !== 'linux' || process.getuid?.() !== 0) &&
      'namespaces of the network and of mounts need root'),
}, async (t) => {
  const program = await findProxy('nginx')
  if (typeof program === 'string') {
    return t.skip(program)
  }
  const folder = await freshFolder()
  const file = (name: string): string => path.join(folder, name)
  const tls: Readonly<Record<string, string>> = { pem: TEST_TLS.cert, key: TEST_TLS.key }
  const mounted = (service('nginx').volumes ?? [])
    .map((volume) => volume.split(':') as [string, string])
    .filter(([from]) => from.startsWith('./'))
    .map(([from, to]) => {
      const certificate = tls[path.extname(from).slice(1)]
      if (certificate === undefined) {
        return `${path.join(DEPLOY, from)} ${to}\n`
      }
      writeFileSync(file(path.basename(from)), certificate)
      return `${file(path.basename(from))} ${to}\n`
    })
  assert.equal(mounted.length, 3)
  writeFileSync(file('mounted'), mounted.join(''))
  mkdirSync(file('work'))
  // The image's own command. Debian's nginx is older than the image's.
  const { command, env } = commandOf(program)
  const nginx = [...command, '-g', 'daemon off;']
  const addresses = [...INSTANCES, 'nginx'].map(addressOf)
  const client = [
    process.execPath,
    path.resolve(import.meta.dirname, '../support/process/compose-network.ts'),
    inImage('EXPOSE'),
  ]
  const responses = await run(
    'unshare',
    [
      '--net',
      '--mount',
      '--propagation',
      'private',
      'sh',
      '-c',
      IN_CONTAINER,
      'sh',
      ...client,
      ...addresses,
      ...nginx,
    ],
    {
      env: {
        ...env,
        ADDRESSES: addresses.join(' '),
        WORK: file('work'),
        MOUNTED: file('mounted'),
        NGINX: program.path.replace(/\/usr\/sbin\/nginx$/, ''),
      },
    },
  )
  const [one, two, metrics] = JSON.parse(responses)
  const nginxAddress = addressOf('nginx')
  assert.deepEqual(
    [one, two].map(({ body }) => body).sort(),
    INSTANCES.map((name) => `${addressOf(name)} login.example.com ${nginxAddress}`),
  )
  assert.equal(metrics.status, 404)
})

test('compose.yaml: names, addresses, volumes and images are consistent, and a stop has 20 seconds', () => {
  const addresses = Object.keys(compose.services).map(addressOf)
  assert.equal(new Set(addresses).size, 4)
  const [subnet] = compose.networks.gatehouse?.ipam.config ?? []
  for (const address of addresses) {
    assert.equal(`${address.replace(/\.\d+$/, '')}.0/24`, subnet?.subnet)
  }
  const used = new Set<string>()
  for (const { image, volumes = [], depends_on = {}, build } of Object.values(compose.services)) {
    assert.ok(build !== undefined || /^[a-z]+:\d+(\.\d+)?$/.test(image), `${image} has a version`)
    for (const volume of volumes) {
      if (!volume.startsWith('./')) {
        used.add(volume.split(':')[0] ?? '')
      }
    }
    for (const [name, { condition }] of Object.entries(depends_on)) {
      assert.deepEqual(
        [condition, service(name).healthcheck === undefined],
        ['service_healthy', false],
        name,
      )
    }
  }
  assert.deepEqual([...used].sort(), Object.keys(compose.volumes).sort())
  for (const name of INSTANCES) {
    assert.equal(service(name).stop_grace_period, '20s')
    assert.deepEqual(service(name).volumes, [`keys:${inImage('VOLUME')}`])
  }
})

test('compose.yaml: an instance is healthy while /readyz is 200, and not after it has stopped', async (t) => {
  const [kind, program = '', ...args] = service('gatehouse-1').healthcheck?.test ?? []
  assert.deepEqual([kind, program], ['CMD', 'node'])
  assert.ok(args.at(-1)?.includes("'/readyz'"))
  const running = await startService(t)
  const check = () => run(process.execPath, args, { env: running.settings })
  await check()
  await running.end('SIGTERM')
  await assert.rejects(check())
})

test('compose.yaml: a missing secret stops docker compose with a message, and the guide names each', () => {
  const guide = read('../docs/operating.md')
  for (const name of Object.keys(SECRETS)) {
    const { [name as keyof typeof SECRETS]: _omitted, ...others } = SECRETS
    assert.throws(() => interpolate(read('compose.yaml'), others), new RegExp(name))
    assert.ok(guide.includes(name), name)
  }
  assert.doesNotMatch(interpolate(read('compose.yaml'), SECRETS), /\$/)
})
