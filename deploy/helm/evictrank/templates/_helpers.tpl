{{- define "evictrank.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* The release's name alone where it says "evictrank" already. 40 characters leave room for the dashboards' names. */}}
{{- define "evictrank.fullname" -}}
{{- $name := include "evictrank.name" . -}}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- default $full .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* ClusterRoles have no namespace, so two releases of one name must not share one. */}}
{{- define "evictrank.clusterName" -}}
{{- printf "%s-%s" .Release.Namespace (include "evictrank.fullname" .) | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "evictrank.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "evictrank.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- required "serviceAccount.name is required where serviceAccount.create is false" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "evictrank.selectorLabels" -}}
app.kubernetes.io/name: {{ include "evictrank.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "evictrank.labels" -}}
{{ include "evictrank.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "evictrank.image" -}}
{{- $repository := required "image.repository is required: build the image (docker build), push it where your cluster can pull it, and say where" .Values.image.repository -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" $repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" $repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{/* The settings file: what the chart itself must know, and what the user adds. The schema keeps the two apart. */}}
{{- define "evictrank.settings" -}}
prometheus.url: {{ required "prometheus.url is required: the base URL of your Prometheus" .Values.prometheus.url | quote }}
web.listen-address: ":9896"
kubernetes.priority-classes: {{ .Values.priorityClasses.read }}
{{- if .Values.window.persistence.enabled }}
window.file: /var/lib/evictrank/window
{{- end }}
{{- with .Values.config }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* How the kubelet asks for a path: (list $ path). */}}
{{- define "evictrank.probe" -}}
{{- $root := index . 0 -}}
{{- if $root.Values.probes.tcpSocket -}}
tcpSocket:
  port: http
{{- else -}}
httpGet:
  path: {{ index . 1 }}
  port: http
  {{- if ne $root.Values.probes.scheme "HTTP" }}
  scheme: {{ $root.Values.probes.scheme }}
  {{- end }}
{{- end -}}
{{- end }}
