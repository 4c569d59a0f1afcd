# There is no build step. The tag is the Node version pinned in package.json (service/test/process/docker.test.ts
# checks that), so the optional npm package of Node is not installed.
FROM node:26.10.0-slim

WORKDIR /opt/gatehouse

# Packages first, so that a change of the source reuses their layer.
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY service/package.json service/
COPY sdk/package.json sdk/
COPY local/package.json local/
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

COPY contract/src contract/src
COPY examples/recipes examples/recipes
COPY service/bin service/bin
COPY service/content service/content
# Packed by `npm run packages` on the machine that builds the image.
COPY service/packages service/packages
COPY service/src service/src

# The source is owned by root and read-only for the service, which writes only to /data.
RUN install -d -o node -g node -m 0700 /data
USER node
ENV HOST=0.0.0.0 PORT=8787 DATA_DIR=/data
VOLUME /data
EXPOSE 8787

HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]

# Exec form, because a shell would not forward SIGTERM. The flag: docs/hot-path.md, Memory.
CMD ["node", "--max-semi-space-size=8", "service/src/start.js"]
