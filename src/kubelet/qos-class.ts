/** `status.qosClass` of a pod (pkg/apis/core/types.go). */
export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';
