{{/* Security context of a pod: (list user group). */}}
{{- define "stichwerk.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ index . 0 }}
runAsGroup: {{ index . 1 }}
fsGroup: {{ index . 1 }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "stichwerk.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Labels and annotations of a pod of this release: (list $ component labels). */}}
{{- define "stichwerk.podMetadata" -}}
{{- $root := index . 0 -}}
labels:
  {{- with $root.Values.pods.labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  {{- include "stichwerk.selector" (list $root (index . 1)) | nindent 2 }}
  {{- with index . 2 }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
annotations:
  {{- with $root.Values.pods.annotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  stichwerk/prices: {{ sha256sum $root.Values.prices | trunc 16 | quote }}
{{- end -}}

{{- define "stichwerk.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* User and placement of a pod of this release: (list $ own), with the values of its kind as own. */}}
{{- define "stichwerk.podPlace" -}}
{{- $own := index . 1 -}}
{{- with index . 0 -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  {{- include "stichwerk.podSecurity" (list 10001 10001) | nindent 2 }}
{{- include "stichwerk.pullSecrets" . }}
{{- with .Values.pods.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- with merge (deepCopy $own.nodeSelector) .Values.pods.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with concat $own.tolerations .Values.pods.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $own.affinity | default .Values.pods.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Spread the pods of a Deployment across nodes if possible: (list $ selector). */}}
{{- define "stichwerk.spread" -}}
{{- if (index . 0).Values.pods.spread }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- index . 1 | nindent 8 }}
{{- end }}
{{- end -}}

{{/* Init container that waits for the database and migrates it. */}}
{{- define "stichwerk.migrate" -}}
name: migrate
image: {{ include "stichwerk.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
args: [migrate, --wait, {{ include "stichwerk.text" .Values.migration.waitSeconds }}]
env:
  {{- include "stichwerk.databaseEnvironment" . | nindent 2 }}
  - name: HOME
    value: /tmp
  {{- with .Values.pods.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
resources:
  {{- toYaml .Values.migration.resources | nindent 2 }}
securityContext:
  {{- include "stichwerk.containerSecurity" . | nindent 2 }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
{{- end -}}

{{/* Init container that copies the image's Numba cache to a writable volume, because Numba needs write access. */}}
{{- define "stichwerk.searches" -}}
name: searches
image: {{ include "stichwerk.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
command: [cp, -R, /opt/numba, /tmp/]
resources:
  requests: {cpu: 50m, memory: 32Mi}
  limits: {memory: 64Mi}
securityContext:
  {{- include "stichwerk.containerSecurity" . | nindent 2 }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
{{- end -}}

{{/* Common parts of the containers of the API and the workers. */}}
{{- define "stichwerk.container" -}}
image: {{ include "stichwerk.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  {{- include "stichwerk.containerSecurity" . | nindent 2 }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
  {{- if .Values.prices }}
  - name: prices
    mountPath: /etc/stichwerk
    readOnly: true
  {{- end }}
{{- end -}}

{{- define "stichwerk.environment" -}}
{{ include "stichwerk.databaseEnvironment" . }}
{{ include "stichwerk.brokerEnvironment" . }}
{{- include "stichwerk.settingsEnvironment" . }}
- name: HOME
  value: /tmp
- name: NUMBA_CACHE_DIR
  value: /tmp/numba
{{- with .Values.pods.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "stichwerk.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 2Gi
{{- if .Values.prices }}
- name: prices
  configMap:
    name: {{ include "stichwerk.fullname" . }}-prices
{{- end }}
{{- end -}}
