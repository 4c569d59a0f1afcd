#!/usr/bin/env node
// The operator's command. Plain JavaScript, so that an old Node says what it needs instead of a syntax error.
const [major] = process.versions.node.split('.')
if (Number(major) < 24) {
  process.stderr.write(
    `gatehouse needs Node 24 or newer, and this is ${process.versions.node}. Run it with: npm run gatehouse --\n`,
  )
  process.exit(1)
}
const { gatehouse } = await import('../src/gatehouse.ts')
process.exitCode = await gatehouse(process.argv.slice(2), process.env)
