import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { before, describe, test } from 'node:test'
import { freshFolder, freshPostgres } from '../support/postgres/engines.ts'
import { interpolate, readCompose } from '../support/process/compose.ts'
import { readDockerfile } from '../support/process/dockerfile.ts'
import {
  buildah,
  type Image,
  makeBaseImage,
  openImage,
  withoutImages,
} from '../support/process/image.ts'
import { readmeCommand } from '../support/process/readme.ts'
import { run } from '../support/process/run.ts'
import { newTenant, startService } from '../support/process/service-process.ts'
import { useInstallation } from '../support/process/use-installation.ts'
import { long } from '../support/tags.ts'
import { freePort } from '../support/transport/free-port.ts'

// The Dockerfile as a real image, built with buildah and run on a read-only root as its user. Minutes: debootstrap makes the
// base image. docker.test.ts executes the same instructions in a folder, in every full run.

const ROOT = path.resolve(import.meta.dirname, '../../..')
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')
const NAME = 'localhost/gatehouse:test'
const OWN_LAYERS_MAX = 70e6

describe('the image', { skip: long || withoutImages() }, () => {
  const base = `docker.io/library/${
    readDockerfile(read('Dockerfile'))
      .find(({ name }) => name === 'FROM')
      ?.rest.split(' ')[0]
  }`
  let image: Image
  before(async () => {
    await makeBaseImage(base, await freshFolder())
    await buildah(
      'build',
      '--isolation',
      'chroot',
      '--pull-never',
      '--format',
      'docker',
      '--tag',
      NAME,
      ROOT,
    )
    image = await openImage(NAME)
  })

  test('adds at most 70 MB to its base', async () => {
    const sizeOf = async (name: string): Promise<number> =>
      Number(await buildah('images', '--format', '{{.Size}}', '--noheading', name).then(bytes))
    const own = (await sizeOf(NAME)) - (await sizeOf(base))
    assert.ok(own > 0 && own <= OWN_LAYERS_MAX, `${own} bytes`)
  })

  test('runs as an unprivileged user that can write to /data and /tmp only', async () => {
    assert.equal(image.config.User, 'node')
    const data = await image.volume()
    const script = `for (const folder of ['/', '/data', '/etc', '/home/node', '/opt/gatehouse', '/opt/gatehouse/service/dist', '/tmp', '/var']) {
      try { require('fs').writeFileSync(folder + '/written', ''); console.log(folder) } catch {}
    } console.log(process.getuid())`
    const [program = '', ...args] = image.command(data, ['node', '-e', script])
    const output = await run(program, args, { env: image.environment })
    assert.deepEqual(output.trim().split('\n'), ['/data', '/tmp', '1000'])
  })

  test('on a read-only root serves pages, signs a user in with the development Google, is healthy, and drains on SIGTERM', async (t) => {
    const data = await image.volume()
    const PORT = String(await freePort())
    const [, name = '', value = ''] = / -e (\w+)=(\S+) /.exec(readmeCommand('image')) ?? []
    const settings = { ...image.environment, [name]: value, PORT }
    const service = await startService(t, settings, {
      command: image.command(data, image.config.Cmd),
    })
    const tenant = await useInstallation(service)
    const [kind, ...health] = image.config.Healthcheck.Test
    assert.equal(kind, 'CMD')
    const [program = '', ...args] = image.command(data, health)
    const checkHealth = () => run(program, args, { env: settings })
    await checkHealth()
    const waiting = tenant.manage('GET', '/api/social-login/events?wait=30&after=9999')
    const [listing = '', ...list] = image.command(data, [
      'node',
      'service/dist/gatehouse.js',
      'tenants',
      'list',
    ])
    assert.ok((await run(listing, list, { env: settings })).includes(tenant.id))
    const { code, stdout } = await service.end('SIGTERM')
    assert.equal(code, 0)
    assert.match(stdout, /SIGTERM: finishing open requests/)
    assert.ok((await waiting).status < 500, 'an open request gets its response')
    await assert.rejects(checkHealth(), 'a stopped service is not healthy')
  })

  test('as in compose.yaml, two instances share a PostgreSQL and a key file, and are healthy one after the other', async (t) => {
    const secrets = {
      POSTGRES_PASSWORD: 'password',
      GOOGLE_CLIENT_ID: 'id',
      GOOGLE_CLIENT_SECRET: 'secret',
    }
    const { services } = readCompose(interpolate(read('deploy/compose.yaml'), secrets))
    const DATABASE_URL = await freshPostgres()
    const data = await image.volume()
    const started = []
    for (const name of ['gatehouse-1', 'gatehouse-2']) {
      const { environment, healthcheck } = services[name] ?? {}
      const settings = {
        ...image.environment,
        ...environment,
        DATABASE_URL,
        PORT: String(await freePort()),
      }
      const service = await startService(t, settings, {
        command: image.command(data, image.config.Cmd),
      })
      const [program = '', ...args] = image.command(data, healthcheck?.test.slice(1) ?? [])
      await run(program, args, { env: settings })
      started.push(service)
    }
    const [first, second] = started
    assert.ok(first && second)
    const tenant = await newTenant(first)
    assert.equal((await tenant.status()).tenant_id, tenant.id)
    const seen = await second.agent.call('GET', `/edge/auth/${tenant.id}/providers`)
    assert.equal(seen.status, 200, 'the other instance serves the tenant')
    for (const service of started) {
      assert.equal((await service.end('SIGTERM')).code, 0)
    }
  })
})

/** `391 MB`, as buildah prints a size. */
function bytes(text: string): number {
  const [, number, unit = ''] = /^([\d.]+) ?(kB|MB|GB)/.exec(text.trim()) ?? []
  const factor = { kB: 1e3, MB: 1e6, GB: 1e9 }[unit] ?? Number.NaN
  return Number(number) * factor
}
