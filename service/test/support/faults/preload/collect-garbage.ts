// SIGUSR2: collects all garbage, so that what is left is what is really held. Between two collections memory rises and
// falls by a hundred megabytes, in which a leak would not be seen.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

process.on('SIGUSR2', () => {
  collect()
  process.stdout.write('collected\n')
})
