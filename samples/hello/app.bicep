// What runs: a web front that asks a backend. Nothing here says where: the environment decides.
extension radius

@description('The environment to deploy to. Ulna fills it in.')
param environment string

@description('What the backend says.')
param greeting string = 'Hello'

@description('What the containers run in, where containers run.')
param image string = 'docker.io/library/python:3.12-alpine'

@description('On Docker, this folder is the code; elsewhere it would be in the image.')
func code(file string) object => {
  Cmd: ['python3', file]
  WorkingDir: '/app'
  Env: {
    HOST: '0.0.0.0'
  }
  HostConfig: {
    Binds: ['.:/app:ro']
    Init: true
  }
}

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
      image: image
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
      docker: code('backend.py')
    }
  }
}

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: hello.id
    container: {
      image: image
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
      docker: code('web.py')
    }
  }
}

output url string = web.properties.endpoints.http
