# The image of the API, the workers and every other command:
#   docker build -t stichwerk:0.1.0 --build-arg REVISION="$(git rev-parse HEAD)" .
#   docker run --rm stichwerk:0.1.0 compile skat-4 --target star --method fast
# The tag names one Python on one Debian, whose glibc is that of the locks. For a build that nobody
# can change afterwards, add the digest that `docker buildx imagetools inspect` prints of it:
#   --build-arg PYTHON_IMAGE=python:3.11.14-slim-bookworm@sha256:…
ARG PYTHON_IMAGE=python:3.11.14-slim-bookworm

FROM ${PYTHON_IMAGE} AS build
ENV PATH=/opt/stichwerk/bin:$PATH \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_NO_INPUT=1
WORKDIR /build
RUN python3 -m venv /opt/stichwerk
# The packages change rarely, the code often.
COPY requirements.lock ./
RUN pip install --require-hashes --only-binary :all: --requirement requirements.lock
COPY LICENSE README.md pyproject.toml ./
COPY compiler compiler
COPY games games
COPY backends backends
COPY workers workers
COPY play play
COPY service service
COPY stichwerk stichwerk
RUN pip install --no-build-isolation --no-deps . \
    && pip uninstall --yes setuptools pip
# Numba compiles the searches here, for any x86-64, and not every container anew. How well they do
# is of no concern.
ENV NUMBA_CACHE_DIR=/opt/numba \
    NUMBA_CPU_NAME=generic
RUN python -m workers.compilation.searches

FROM ${PYTHON_IMAGE}
ARG REVISION=
LABEL org.opencontainers.image.title="Stichwerk" \
      org.opencontainers.image.description="Compiles quantum games to real machines and measures how well the machines play them" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.revision="${REVISION}"
RUN groupadd --gid 10001 stichwerk \
    && useradd --uid 10001 --gid 10001 --create-home --shell /usr/sbin/nologin stichwerk
COPY --from=build /opt/stichwerk /opt/stichwerk
# Numba uses a cache only where it may write.
COPY --from=build --chown=10001:10001 /opt/numba /opt/numba
ENV PATH=/opt/stichwerk/bin:$PATH \
    MPLCONFIGDIR=/tmp/matplotlib \
    NUMBA_CACHE_DIR=/opt/numba \
    NUMBA_CPU_NAME=generic \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    STICHWERK_REVISION=${REVISION}
# By number, so that Kubernetes can tell that it is not root.
USER 10001:10001
WORKDIR /home/stichwerk
EXPOSE 8000
# No HEALTHCHECK: the same image serves, works and compiles; whoever runs it knows what to ask.
ENTRYPOINT ["stichwerk"]
CMD ["serve", "--host", "0.0.0.0"]
