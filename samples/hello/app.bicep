// What runs: a web front that asks a backend. Nothing here says where: the environment decides.
extension radius

@description('The environment to deploy to. Ulna fills it in.')
param environment string

@description('What the backend says.')
param greeting string = 'Hello'

resource hello 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'hello'
  properties: {
    environment: environment
  }
}

resource backend 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'backend'
  properties: {
    application: hello.id
    container: {
      image: 'docker.io/library/python:3.12-alpine'
      env: {
        GREETING: {
          value: greeting
        }
      }
      ports: {
        api: {
          containerPort: 8081
        }
      }
      readinessProbe: {
        kind: 'httpGet'
        containerPort: 8081
        path: '/healthz'
        periodSeconds: 1
      }
    }
    runtimes: {
      process: {
        command: 'python3'
        args: ['backend.py']
      }
    }
  }
}

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: hello.id
    container: {
      image: 'docker.io/library/python:3.12-alpine'
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
    connections: {
      backend: {
        source: backend.id
      }
    }
    runtimes: {
      process: {
        command: 'python3'
        args: ['web.py']
      }
    }
  }
}

output url string = web.properties.endpoints.http
