{{/* Prefix of the names of all objects, truncated so that every suffix fits into 63 characters. */}}
{{- define "stichwerk.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else if contains "stichwerk" .Release.Name -}}
{{- .Release.Name | trunc 30 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-stichwerk" (.Release.Name | trunc 20 | trimSuffix "-") -}}
{{- end -}}
{{- end -}}

{{/* Labels that never change, so that upgrades find the pods: (list $ component). */}}
{{- define "stichwerk.selector" -}}
app.kubernetes.io/name: stichwerk
app.kubernetes.io/instance: {{ (index . 0).Release.Name | quote }}
{{- with index . 1 }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{/* Labels of an object: (list $ component). */}}
{{- define "stichwerk.labels" -}}
{{ include "stichwerk.selector" . }}
{{- with index . 0 }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}
{{- end -}}

{{- define "stichwerk.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ printf "%s@%s" .repository .digest | quote }}
{{- else -}}
{{ printf "%s:%s" .repository (.tag | default $.Chart.AppVersion) | quote }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "stichwerk.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{ .Values.serviceAccount.name | default (include "stichwerk.fullname" .) | quote }}
{{- else -}}
{{ .Values.serviceAccount.name | default "default" | quote }}
{{- end -}}
{{- end -}}

{{- define "stichwerk.postgresqlSecret" -}}
{{ .Values.postgresql.existingSecret | default (printf "%s-postgresql" (include "stichwerk.fullname" .)) | quote }}
{{- end -}}

{{- define "stichwerk.redisSecret" -}}
{{ .Values.redis.existingSecret | default (printf "%s-redis" (include "stichwerk.fullname" .)) | quote }}
{{- end -}}

{{- define "stichwerk.metricsSecret" -}}
{{ .Values.monitoring.tokenSecret | default (printf "%s-metrics" (include "stichwerk.fullname" .)) | quote }}
{{- end -}}

{{/* Groups of workers with their defaults filled in; groups set to `null` are removed. */}}
{{- define "stichwerk.groups" -}}
{{- $groups := dict -}}
{{- range $name, $own := .Values.workers -}}
{{- if not (kindIs "invalid" $own) -}}
{{- $_ := set $groups $name (mergeOverwrite (deepCopy $.Values.workerDefaults) $own) -}}
{{- end -}}
{{- end -}}
{{- toJson $groups -}}
{{- end -}}
