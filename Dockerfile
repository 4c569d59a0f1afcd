# The tag is the Node version that package.json pins for Linux (service/test/process/docker.test.ts checks that).
FROM node:24.21.0-slim AS build

WORKDIR /opt/gatehouse

# Packages first, so that a change of the source reuses their layer. With development dependencies: esbuild and TypeScript.
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY service/package.json service/
COPY sdk/package.json sdk/
COPY local/package.json local/
RUN npm ci --ignore-scripts --no-audit --no-fund

COPY tsconfig.json ./
COPY scripts scripts
COPY contract contract
COPY sdk sdk
COPY local local
COPY examples/recipes examples/recipes
COPY service/bin service/bin
COPY service/src service/src
COPY service/development service/development
COPY service/content service/content
# Packs the SDK and the local tools into service/packages, and bundles the service into service/dist. The commit is for
# `--version` and /status: docker build --build-arg GATEHOUSE_COMMIT=$(git rev-parse --short=10 HEAD) .
ARG GATEHOUSE_COMMIT=
RUN npm run build

FROM node:24.21.0-slim

WORKDIR /opt/gatehouse

# No node_modules: everything that the service uses is in the bundle.
COPY service/package.json service/
COPY service/content service/content
COPY examples/recipes examples/recipes
COPY --from=build /opt/gatehouse/service/packages service/packages
COPY --from=build /opt/gatehouse/service/dist service/dist

# The files are owned by root and read-only for the service, which writes only to /data.
RUN install -d -o node -g node -m 0700 /data
USER node
ENV HOST=0.0.0.0 PORT=8787 DATA_DIR=/data
VOLUME /data
EXPOSE 8787

HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]

# Exec form, because a shell would not forward SIGTERM. The flag: docs/hot-path.md, Memory.
CMD ["node", "--max-semi-space-size=8", "service/dist/start.js"]
