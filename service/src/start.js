// Plain JavaScript: a Node that cannot parse TypeScript prints the version it needs instead of a syntax error.
import module from 'node:module'

const [major] = process.versions.node.split('.')
if (Number(major) < 24) {
  process.stderr.write(
    `Gatehouse needs Node 24 or newer, and this is ${process.versions.node}. Run it with: npm start\n`,
  )
  process.exit(1)
}
module.enableCompileCache?.()
const { main } = await import('./main.ts')
await main(process.env)
