param environment string
param replicas int = 1
param name string = 'Ada'
param route string = '/'
param image string = 'localhost/python:3'
param program string = loadTextContent('server.py')
@secure()
param password string
resource shop 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: environment }
}
resource keys 'Applications.Core/secretStores@2023-10-01-preview' = {
  name: 'keys'
  properties: { application: shop.id, type: 'generic', data: { password: { value: password } } }
}
resource data 'Applications.Core/volumes@2023-10-01-preview' = {
  name: 'data'
  properties: { application: shop.id, kind: 'persistent', sizeInGib: 1 }
}
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: shop.id
    container: {
      image: image
      command: ['python3', '-c', program]
      env: {
        NAME: { value: name }
        PASSWORD: { valueFrom: { secretRef: { source: keys.id, key: 'password' } } }
      }
      ports: { http: { containerPort: 8000 } }
      readinessProbe: { kind: 'httpGet', containerPort: 8000, path: '/health' }
      volumes: { data: { kind: 'persistent', source: data.id, mountPath: '/data', permission: 'write' } }
      resources: { requests: { cpu: '0.1', memoryInMib: 32 }, limits: { memoryInMib: 128 } }
      initContainers: {
        seed: {
          image: 'localhost/python:3'
          command: ['sh', '-c', 'echo seeded > \${VOLUME_DATA:-/data}/seed']
          volumes: { data: { kind: 'persistent', source: data.id, mountPath: '/data', permission: 'write' } }
        }
      }
      sidecars: {
        agent: { image: 'localhost/python:3', command: ['sh', '-c', 'echo beside; trap exit TERM; sleep 3600 & wait'] }
      }
    }
    extensions: [{ kind: 'manualScaling', replicas: replicas }]
    runtimes: { process: { }, docker: { StopTimeout: 1 } }
  }
}
resource gate 'Applications.Core/gateways@2023-10-01-preview' = {
  name: 'gate'
  properties: {
    application: shop.id
    routes: [
      { path: '/api', destination: web.id, replacePrefix: '/' }
      { path: route, destination: 'http://web:8000' }
    ]
  }
}
output url string = gate.properties.url
