param gatewayImage string = 'caddy:2'
resource local 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'docker'
  properties: {
    compute: {
      kind: 'docker'
      gateway: { image: gatewayImage, port: 18080 }
    }
  }
}
