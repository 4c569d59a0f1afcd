import type { Call, Result } from './called-command.ts'

// Runs commands one after the other in one process (called-command.ts). Each gets its own folder, environment and output.

type Write = typeof process.stdout.write

// Every command listens for signals, as if it had the process for itself.
process.setMaxListeners(0)

// The test's process has ended.
process.once('disconnect', () => process.exit())

process.on('message', async ({ file, args, cwd, env }: Call) => {
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) {
    delete process.env[name]
  }
  Object.assign(process.env, env)
  process.argv = [process.execPath, file, ...args]
  const [stdout, stderr] = [collect(process.stdout), collect(process.stderr)]
  // After the first call, because the program names itself by how it was started.
  const { run } = await import('../../src/cli/run.ts')
  const code = await run(args)
  process.send?.({ code, stdout: stdout.end(), stderr: stderr.end() } satisfies Result)
})

/** Collects what is written to this stream until `end`. */
function collect(stream: NodeJS.WriteStream): { end(): string } {
  const { write } = stream
  let text = ''
  stream.write = ((chunk: string | Uint8Array) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    return true
  }) as Write
  return {
    end() {
      stream.write = write
      return text
    },
  }
}
