import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { run } from '../../../service/test/support/process/run.ts'

/** Unpacks the local tools of a service, as an installer does, into node_modules of a folder. Returns the file to run. */
export async function installTools(service: string, folder: string): Promise<string> {
  const manifest = await fetch(`${service}/packages/npm/@gatehouse-auth/local/latest`)
  const { dist } = (await manifest.json()) as { dist: { tarball: string } }
  const response = await fetch(dist.tarball)
  assert.equal(response.status, 200)

  const installed = path.join(folder, 'node_modules/@gatehouse-auth/local')
  await mkdir(installed, { recursive: true })
  const tarball = path.join(folder, 'local.tgz')
  await writeFile(tarball, new Uint8Array(await response.arrayBuffer()))
  await run('tar', ['xzf', tarball, '--strip-components=1', '-C', installed])
  return path.join(installed, 'dist/cli.js')
}
