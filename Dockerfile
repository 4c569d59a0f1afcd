# Copies and runs; there is no build. The tag is the Node that package.json pins (service/test/process/deployment.test.ts
# holds the two together), so the copy of Node that npm would install beside it is left out with the optional packages.
FROM node:26.10.0-slim

WORKDIR /opt/gatehouse

# Packages first: a change of the source does not install them again.
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY service/package.json service/
COPY sdk/package.json sdk/
COPY local/package.json local/
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

COPY contract/src contract/src
COPY service/bin service/bin
COPY service/content service/content
COPY service/src service/src

# The source belongs to root and is only read. All that is written is in /data.
RUN install -d -o node -g node -m 0700 /data
USER node
ENV HOST=0.0.0.0 PORT=8787 DATA_DIR=/data
VOLUME /data
EXPOSE 8787

HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# As a list, not through a shell, which would keep SIGTERM to itself. The flag: docs/hot-path.md, Memory.
CMD ["node", "--max-semi-space-size=8", "service/src/start.js"]
