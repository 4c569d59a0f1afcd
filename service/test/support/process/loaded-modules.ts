import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ServiceProcess } from './service-process.ts'
import { waitUntil } from './wait-until.ts'

const REPORT = `import{registerHooks}from'node:module';const files=[];
  registerHooks({load(url,context,next){files.push(url);return next(url,context)}});
  process.on('SIGUSR2',()=>console.log('loaded',process.pid,JSON.stringify([...process.moduleLoadList,...files])))`

/** Settings with which a service and its workers report on SIGUSR2 what they have loaded. */
export const REPORTING = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(REPORT)}`,
}

/** What a process of the production build has loaded: Node's own modules by name, and the source files of the build. */
export async function loadedModules(
  service: ServiceProcess,
  pid = service.child.pid ?? 0,
): Promise<string[]> {
  const before = service.output().length
  const reported = (): string | undefined =>
    new RegExp(`loaded ${pid} (.*)\n`).exec(service.output().slice(before))?.[1]
  process.kill(pid, 'SIGUSR2')
  await waitUntil('the process reports what it has loaded', () => reported() !== undefined)
  const names = JSON.parse(reported() ?? '') as string[]
  const maps = names
    .filter((name) => name.includes('/dist/'))
    .map(
      (name) =>
        JSON.parse(readFileSync(fileURLToPath(`${name}.map`), 'utf8')) as {
          readonly sources: string[]
        },
    )
  return [...names, ...maps.flatMap(({ sources }) => sources)]
}
