// What this package uses of React and Next.js, so that it builds without them. Apps have their own types.

declare module 'react' {
  export type ReactNode =
    | ReactElement
    | string
    | number
    | boolean
    | null
    | undefined
    | readonly ReactNode[]
  export interface ReactElement {
    readonly type: unknown
    readonly props: unknown
    readonly key: string | null
  }
  export type FunctionComponent<Props> = (props: Props) => ReactNode
  export interface Context<T> {
    readonly Provider: FunctionComponent<{ readonly value: T; readonly children?: ReactNode }>
  }
  type Props = Readonly<Record<string, unknown>>
  export function createContext<T>(value: T): Context<T>
  export function createElement(
    type: string,
    props: Props | null,
    ...children: readonly ReactNode[]
  ): ReactElement
  export function createElement<P>(
    type: FunctionComponent<P>,
    props: P,
    ...children: readonly ReactNode[]
  ): ReactElement
  export function useCallback<T>(callback: T, deps: readonly unknown[]): T
  export function useContext<T>(context: Context<T>): T
  export function useEffect(effect: () => (() => void) | undefined, deps: readonly unknown[]): void
  export function useMemo<T>(create: () => T, deps: readonly unknown[]): T
  export function useRef<T>(value: T): { current: T }
  export function useState<T>(value: T | (() => T)): [T, (next: T | ((before: T) => T)) => void]
}

declare module 'next/headers.js' {
  export function headers(): Promise<Headers>
}

declare module 'next/server.js' {
  export const NextResponse: {
    next(init: { readonly request: { readonly headers: Headers } }): Response
  }
}
