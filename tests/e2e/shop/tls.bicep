param environment string
@secure()
param cert string
@secure()
param key string
resource shop 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'tls'
  properties: { environment: environment }
}
resource pair 'Applications.Core/secretStores@2023-10-01-preview' = {
  name: 'pair'
  properties: { application: shop.id, type: 'certificate', data: { 'tls.crt': { value: cert, encoding: 'base64' }, 'tls.key': { value: key } } }
}
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'site'
  properties: {
    application: shop.id
    container: {
      image: 'localhost/python:3'
      command: ['sh', '-c', 'python3 -m http.server \${PORT:-8000}']
      ports: { http: { containerPort: 8000 } }
    }
    runtimes: { process: {}, docker: { StopTimeout: 1 } }
  }
}
resource gate 'Applications.Core/gateways@2023-10-01-preview' = {
  name: 'secure'
  properties: {
    application: shop.id
    hostname: { fullyQualifiedHostname: 'shop.example' }
    tls: { certificateFrom: pair.id, minimumProtocolVersion: '1.3' }
    routes: [ { path: '/', destination: web.id } ]
  }
}
output url string = gate.properties.url
