interface Machine {
  readonly platform: string
  readonly arch: string
  /** ID or ID_LIKE of /etc/os-release. */
  readonly distribution: string
  readonly isMusl: boolean
  /** Where Gatehouse is installed. */
  readonly folder: string
}

export function isNewEnough(nodeVersion: string): boolean
export function npmProblem(npmVersion: string): string | null
export function isUnreachable(stderr: string): boolean
export function explainNpm(code: string): string
export function explainInstall(stderr: string, machine: Machine): string
export function explainNode(output: string, machine: Machine): string
