param environment string
@secure()
param password string
param replicas int = 1
param greeting string = 'hello'
param cpu string = '1'
param tls bool = false
param certificate string = ''
@secure()
param key string = ''
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: environment }
}
resource store 'Applications.Core/secretStores@2023-10-01-preview' = {
  name: 'secrets'
  properties: { application: app.id, type: 'generic', data: { password: { value: password } } }
}
resource data 'Applications.Core/volumes@2023-10-01-preview' = {
  name: 'data'
  properties: { application: app.id, kind: 'persistent', sizeInGib: 1 }
}
resource api 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'api'
  properties: {
    application: app.id
    container: {
      image: 'localhost/python:3'
      command: ['python3', '-c']
      args: [loadTextContent('api.py')]
      env: {
        PASSWORD: { valueFrom: { secretRef: { source: store.id, key: 'password' } } }
        GREETING: { value: greeting }
      }
      ports: { http: { containerPort: 8000 } }
      readinessProbe: { kind: 'httpGet', containerPort: 8000, path: '/healthz', periodSeconds: 1 }
      resources: { requests: { cpu: cpu, memoryInMib: 1024 } }
      initContainers: {
        seed: {
          image: 'localhost/busybox:1'
          command: ['sh', '-c', 'echo seeded > /data/seed']
          volumes: { data: { kind: 'persistent', source: data.id, mountPath: '/data', permission: 'write' } }
        }
      }
      sidecars: {
        clock: {
          image: 'localhost/busybox:1'
          command: ['sh', '-c', 'while true; do date > /scratch/now; sleep 1; done']
          volumes: { scratch: { kind: 'ephemeral', mountPath: '/scratch', managedStore: 'disk' } }
        }
      }
      volumes: {
        data: { kind: 'persistent', source: data.id, mountPath: '/data', permission: 'write' }
        scratch: { kind: 'ephemeral', mountPath: '/scratch', managedStore: 'disk' }
      }
    }
    extensions: [{ kind: 'manualScaling', replicas: replicas }]
  }
}
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: app.id
    container: {
      image: 'localhost/python:3'
      command: ['python3', '-c', loadTextContent('web.py')]
      workingDir: '/tmp'
      ports: { http: { containerPort: 8080 } }
      livenessProbe: { kind: 'tcp', containerPort: 8080, periodSeconds: 2 }
    }
    connections: { api: { source: 'http://api:8000' } }
  }
}
resource pair 'Applications.Core/secretStores@2023-10-01-preview' = if (tls) {
  name: 'pair'
  properties: {
    application: app.id
    type: 'certificate'
    data: { 'tls.crt': { value: certificate }, 'tls.key': { value: key } }
  }
}
resource gw 'Applications.Core/gateways@2023-10-01-preview' = {
  name: 'public'
  properties: {
    application: app.id
    ...(tls ? { tls: { certificateFrom: pair.id } } : {})
    routes: [
      { path: '/', destination: 'http://web:8080' }
      { path: '/api', destination: 'http://api:8000', replacePrefix: '/' }
    ]
  }
}
output url string = gw.properties.url
