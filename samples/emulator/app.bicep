// A page that counts its visitors in a cache of Azure. With `emulated` the cache runs here, and the page notices nothing.
extension radius

@description('The environment to deploy to. Ulna fills it in.')
param environment string

@description('Whether the cache is an emulator, in place of one of Azure.')
param emulated bool = true

@description('An image with Redis, for the emulator.')
param redis string = 'docker.io/library/redis:7-alpine'

@description('An image with Python, which runs the page.')
param python string = 'docker.io/library/python:3.12-alpine'

resource counter 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'counter'
  properties: {
    environment: environment
  }
}

resource cache 'Microsoft.Cache/redis@2024-03-01' = {
  name: 'visits'
  location: 'westeurope'
  tags: emulated
    ? {
        'ulna.emulator': 'true'
        'ulna.emulator.image': redis
      }
    : {}
  properties: {
    sku: {
      name: 'Basic'
      family: 'C'
      capacity: 0
    }
    enableNonSslPort: true
  }
}

resource page 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'page'
  properties: {
    application: counter.id
    container: {
      image: python
      command: ['python3', '-u', '-c', loadTextContent('page.py')]
      env: {
        REDIS_HOST: {
          value: cache.properties.hostName
        }
        REDIS_PORT: {
          value: string(cache.properties.port)
        }
        REDIS_KEY: {
          value: cache.listKeys().primaryKey
        }
      }
      ports: {
        http: {
          containerPort: 8080
        }
      }
      readinessProbe: {
        kind: 'httpGet'
        containerPort: 8080
        path: '/healthz'
        periodSeconds: 1
      }
    }
    runtimes: {
      process: {
        command: 'python3'
        args: ['-u', 'page.py']
        env: {
          HOST: '127.0.0.1'
        }
      }
    }
  }
}

output url string = page.properties.endpoints.http
