// SIGUSR2: runs a full garbage collection, so that memory can be measured without garbage. Between two collections it
// varies by a hundred megabytes, which would hide a leak.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

process.on('SIGUSR2', () => {
  collect()
  process.stdout.write('collected\n')
})
