// Where things run: a Kubernetes cluster, that of the kubeconfig's current context.
extension radius

@description('The context of the kubeconfig; its current one where this is empty.')
param context string = ''

@description('The image of Caddy, for a cluster without Gateway API and without an Ingress controller.')
param caddy string = 'docker.io/library/caddy:2-alpine'

resource kubernetes 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'kubernetes'
  properties: {
    compute: {
      kind: 'kubernetes'
      namespace: 'ulna'
      ...(empty(context) ? {} : { context: context })
      gateway: {
        image: caddy
      }
    }
  }
}
