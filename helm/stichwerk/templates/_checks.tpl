{{/* Checks of values that contradict each other, which the schema cannot express. */}}
{{- define "stichwerk.check" -}}
{{- with .Values -}}
{{- if eq .postgresql.enabled (ne .database.existingSecret "") -}}
{{- fail "database: set either postgresql.enabled, or database.existingSecret with the URL of your own database" -}}
{{- end -}}
{{- if eq .redis.enabled (ne .broker.existingSecret "") -}}
{{- fail "broker: set either redis.enabled, or broker.existingSecret with the URL of your own Redis" -}}
{{- end -}}
{{- if and .api.ingress.enabled (not .api.ingress.host) -}}
{{- fail "api.ingress.host: missing, required if api.ingress.enabled is true" -}}
{{- end -}}
{{- if lt (int .api.autoscaling.maxReplicas) (int .api.autoscaling.minReplicas) -}}
{{- fail "api.autoscaling: maxReplicas is less than minReplicas" -}}
{{- end -}}
{{- end -}}
{{- $taken := list -}}
{{- $steady := false -}}
{{- range $name, $group := include "stichwerk.groups" . | fromJson -}}
{{- $taken = concat $taken $group.queues -}}
{{- $scaling := $group.autoscaling -}}
{{- if lt (int $scaling.maxReplicas) (int $scaling.minReplicas) -}}
{{- fail (printf "workers.%s.autoscaling: maxReplicas is less than minReplicas" $name) -}}
{{- end -}}
{{- if eq $scaling.type "none" -}}
{{- $steady = or $steady (gt (int $group.replicas) 0) -}}
{{- else -}}
{{- $steady = or $steady (gt (int $scaling.minReplicas) 0) -}}
{{- if and (ne $scaling.type "keda") (eq (int $scaling.minReplicas) 0) -}}
{{- fail (printf "workers.%s.autoscaling: minReplicas 0 requires the type keda" $name) -}}
{{- end -}}
{{- end -}}
{{- if and (eq $scaling.type "queue") (empty (without $group.queues "poll")) -}}
{{- fail (printf "workers.%s.autoscaling: the type queue does not count jobs of the queue poll, which wait for their provider; use cpu or keda" $name) -}}
{{- end -}}
{{- if and (eq $scaling.type "keda") (not $.Values.redis.enabled) (not $.Values.broker.keda.address) -}}
{{- fail (printf "workers.%s.autoscaling: the type keda requires broker.keda.address" $name) -}}
{{- end -}}
{{- end -}}
{{- range list "compile" "submit" "poll" "score" -}}
{{- if not (has . $taken) -}}
{{- fail (printf "workers: no group serves the queue %s" .) -}}
{{- end -}}
{{- end -}}
{{- if not $steady -}}
{{- fail "workers: no group always keeps a pod; one is required, because its sweeper finds the jobs that are due" -}}
{{- end -}}
{{- end -}}
