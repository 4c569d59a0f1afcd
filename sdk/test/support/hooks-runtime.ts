import { registerHooks } from 'node:module'

// As much of React as one component with hooks needs: the real one is installed for workshop/interop only.

type Deps = readonly unknown[]
interface Cell {
  value?: unknown
  deps?: Deps
  stop?: (() => void) | undefined
}

const isSame = (one: Deps | undefined, other: Deps): boolean =>
  one !== undefined &&
  one.length === other.length &&
  one.every((each, index) => Object.is(each, other[index]))

let cells: Cell[] = []
let next = 0
const effects: (() => void)[] = []
let render = (): void => {}

const nextCell = (): Cell => (cells[next++] ??= {})

export const createContext = (): object => ({ Provider: 'provider' })
export const useContext = (): null => null
export const createElement = (type: unknown, props: object): object => ({ type, props })

export function useMemo(create: () => unknown, deps: Deps): unknown {
  const cell = nextCell()
  if (!isSame(cell.deps, deps)) {
    Object.assign(cell, { value: create(), deps })
  }
  return cell.value
}

export const useCallback = (callback: unknown, deps: Deps): unknown => useMemo(() => callback, deps)
export const useRef = (current: unknown): unknown => useMemo(() => ({ current }), [])

export function useState(initial: unknown): [unknown, (next: unknown) => void] {
  const state = useMemo(() => ({ value: nextValue(initial) }), []) as { value: unknown }
  return [
    state.value,
    (given) => {
      state.value = nextValue(given, state.value)
      render()
    },
  ]
}

const nextValue = (given: unknown, before?: unknown): unknown =>
  typeof given === 'function' ? given(before) : given

export function useEffect(effect: () => (() => void) | undefined, deps: Deps): void {
  const cell = nextCell()
  if (isSame(cell.deps, deps)) {
    return
  }
  cell.deps = deps
  effects.push(() => {
    cell.stop?.()
    cell.stop = effect()
  })
}

interface Mounted<Props> {
  /** What it rendered last. */
  (): unknown
  update(props: Props): void
}

/** Renders the component now, with other properties, and after each change of its state. */
export function mount<Props>(component: (props: Props) => unknown, given: Props): Mounted<Props> {
  let rendered: unknown
  let props = given
  cells = []
  render = () => {
    next = 0
    rendered = component(props)
    for (const effect of effects.splice(0)) {
      effect()
    }
  }
  render()
  const update = (next: Props): void => {
    props = next
    render()
  }
  return Object.assign(() => rendered, { update })
}

/** The components of the SDK with these hooks in place of React's. */
export async function importComponents(): Promise<typeof import('../../src/react.ts')> {
  const hooks = registerHooks({
    resolve: (specifier, context, resolveNext) =>
      specifier === 'react'
        ? { url: import.meta.url, shortCircuit: true }
        : resolveNext(specifier, context),
  })
  try {
    return await import('../../src/react.ts')
  } finally {
    hooks.deregister()
  }
}
