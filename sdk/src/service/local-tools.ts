/** The command that runs the local tools in any folder: npx gets them from the service, which is a registry of npm. */
export const localTools = (service: string): string =>
  `npx --@gatehouse-auth:registry=${service}/packages/npm/ @gatehouse-auth/local`
