# A static binary on an empty image: no shell, no git, not root.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=""
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags "-s -w -X main.version=${VERSION}" \
      -o /out/pointsman ./cmd/pointsman \
 && mkdir -p /out/data /out/scratch

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/pointsman /pointsman
COPY --from=build --chown=65532:65532 /out/data /data
COPY --from=build --chown=65532:65532 /out/scratch /tmp
USER 65532:65532
ENV POINTSMAN_LISTEN=0.0.0.0:8080 POINTSMAN_DATADIR=/data
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["/pointsman"]
CMD ["serve", "--config", "/etc/pointsman/pointsman.yml"]
