# docker build --tag evictrank .            the service
# docker build --tag evictrank-demo --target demo .   what fills a Prometheus with the demo's cluster
ARG NODE_IMAGE=node:24.18.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM ${NODE_IMAGE} AS packages
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM ${NODE_IMAGE} AS base
ENV NODE_ENV=production
WORKDIR /app
# For --window.file; a volume mounted here takes over the owner. Nothing else is ever written.
RUN install --directory --owner=65532 --group=65532 /var/lib/evictrank
COPY package.json LICENSE ./
COPY --from=build /build/dist ./dist
# A number, so that Kubernetes can tell that it is not root.
USER 65532:65532

# It writes remote-write requests with packages that the service does without.
FROM base AS demo
COPY --from=build /build/node_modules ./node_modules
ENTRYPOINT ["node", "dist/demo/seed.js"]

FROM base AS evictrank
COPY --from=packages /build/node_modules ./node_modules
EXPOSE 9896
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:9896/-/healthy').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/main.js"]
CMD ["serve", "--web.listen-address=:9896"]
