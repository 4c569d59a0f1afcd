import type { Bench } from '../bench.ts'
import type { BenchmarkName } from '../options.ts'
import type { Row } from '../report/row.ts'
import { anonymous } from './anonymous.ts'
import { login } from './login.ts'
import { mcp } from './mcp.ts'
import { memory } from './memory.ts'
import { refresh } from './refresh.ts'
import { slowDisk } from './slow-disk.ts'
import { start } from './start.ts'
import { verify } from './verify.ts'
import { workers } from './workers.ts'

export const RUN: Record<BenchmarkName, (bench: Bench) => Promise<Row[]>> = {
  verify,
  refresh,
  login,
  mcp,
  anonymous,
  'slow-disk': slowDisk,
  workers,
  start,
  memory,
}
