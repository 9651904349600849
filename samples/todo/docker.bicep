// Where things run: containers of the Docker engine of this machine.
extension radius

@description('An image of Caddy, which gateways run.')
param gatewayImage string = 'docker.io/library/caddy:2'

resource docker 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'docker'
  properties: {
    compute: {
      kind: 'docker'
      gateway: {
        image: gatewayImage
      }
    }
  }
}
