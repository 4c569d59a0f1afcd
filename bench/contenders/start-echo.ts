import path from 'node:path'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import type { Bench } from '../bench.ts'
import { type Program, startProgram } from '../processes/program.ts'

export async function startEcho({ folder, placement }: Bench): Promise<Program> {
  const port = await freePort()
  return startProgram({
    name: 'echo',
    args: [path.join(import.meta.dirname, 'echo.js')],
    env: { PORT: String(port), NODE_ENV: 'production' },
    cores: placement.contender,
    readerCores: placement.load,
    folder,
    port,
    readyPath: '/',
  })
}
