{{/* Values are floats: a million would be rendered as 1e+06, which is not an integer. */}}
{{- define "stichwerk.text" -}}
{{- if and (kindIs "float64" .) (eq . (floor .)) -}}
{{- int64 . | toString | quote -}}
{{- else -}}
{{- toString . | quote -}}
{{- end -}}
{{- end -}}

{{/* A variable from a Secret: (list variable secret key), the secret in quotes. */}}
{{- define "stichwerk.secretVariable" -}}
- name: {{ index . 0 }}
  valueFrom:
    secretKeyRef:
      name: {{ index . 1 }}
      key: {{ index . 2 | quote }}
{{- end -}}

{{/* The driver reads the password from its own variable, in which no character must be escaped. */}}
{{- define "stichwerk.databaseEnvironment" -}}
{{- if .Values.postgresql.enabled -}}
{{ include "stichwerk.secretVariable" (list "PGPASSWORD" (include "stichwerk.postgresqlSecret" .) "password") }}
- name: STICHWERK_DATABASE
  value: {{ printf "postgresql+psycopg://stichwerk@%s-postgresql:5432/stichwerk" (include "stichwerk.fullname" .) | quote }}
{{- else -}}
{{ include "stichwerk.secretVariable" (list "STICHWERK_DATABASE" (quote .Values.database.existingSecret) .Values.database.key) }}
{{- end }}
{{- end -}}

{{/* REDIS_PASSWORD is read by Kubernetes, for the URL, and by KEDA. */}}
{{- define "stichwerk.brokerEnvironment" -}}
{{- if .Values.redis.enabled -}}
{{ include "stichwerk.secretVariable" (list "REDIS_PASSWORD" (include "stichwerk.redisSecret" .) "password") }}
- name: STICHWERK_REDIS
  value: {{ printf "redis://:$(REDIS_PASSWORD)@%s-redis:6379/0" (include "stichwerk.fullname" .) | quote }}
{{- else -}}
{{- with .Values.broker -}}
{{ include "stichwerk.secretVariable" (list "STICHWERK_REDIS" (quote .existingSecret) .key) }}
{{- if .keda.passwordKey }}
{{ include "stichwerk.secretVariable" (list "REDIS_PASSWORD" (quote .existingSecret) .keda.passwordKey) }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "stichwerk.settingsEnvironment" -}}
{{- range $name, $value := .Values.settings }}
- name: STICHWERK_{{ snakecase $name | upper }}
  value: {{ include "stichwerk.text" $value }}
{{- end }}
{{- if .Values.prices }}
- name: STICHWERK_PRICES
  value: /etc/stichwerk/prices.toml
{{- end }}
{{- end -}}

{{- define "stichwerk.providersEnvironment" -}}
{{- with .Values.providers.ibm }}
{{- if .existingSecret }}
{{ include "stichwerk.secretVariable" (list "QISKIT_IBM_TOKEN" (quote .existingSecret) .tokenKey) }}
{{- if .instanceKey }}
{{ include "stichwerk.secretVariable" (list "QISKIT_IBM_INSTANCE" (quote .existingSecret) .instanceKey) }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.providers.aws }}
{{- if .existingSecret }}
{{ include "stichwerk.secretVariable" (list "AWS_ACCESS_KEY_ID" (quote .existingSecret) .accessKeyIdKey) }}
{{ include "stichwerk.secretVariable" (list "AWS_SECRET_ACCESS_KEY" (quote .existingSecret) .secretAccessKeyKey) }}
{{- if .sessionTokenKey }}
{{ include "stichwerk.secretVariable" (list "AWS_SESSION_TOKEN" (quote .existingSecret) .sessionTokenKey) }}
{{- end }}
{{- end }}
{{- if .region }}
- name: AWS_REGION
  value: {{ .region | quote }}
{{- end }}
{{- if .bucket }}
- name: STICHWERK_BRAKET_BUCKET
  value: {{ .bucket | quote }}
{{- end }}
{{- end }}
{{- end -}}
