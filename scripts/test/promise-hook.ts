import asyncHooks, { type AsyncHook } from 'node:async_hooks'

// Loaded before node:test in workers. Node's test runner follows every promise, to find the suite that a hook belongs to and
// the test that a stray error belongs to. That takes an eighth of the CPU time of the tests. A worker follows promises only
// while it loads a file, which declares its suites, and reports stray errors for the file.

let created: AsyncHook | undefined
const { createHook } = asyncHooks
asyncHooks.createHook = (callbacks) => {
  const hook = createHook(callbacks)
  created ??= hook
  return hook
}

export function followPromises(following: boolean): void {
  if (following) {
    created?.enable()
  } else {
    created?.disable()
  }
}
