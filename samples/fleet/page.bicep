extension radius

param application string
param title string
param urls string[]

resource page 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'page'
  properties: {
    application: application
    container: {
      image: 'docker.io/library/python:3.12-alpine'
      env: {
        TITLE: {
          value: title
        }
        URLS: {
          value: join(urls, ' ')
        }
      }
      ports: {
        http: {
          containerPort: 9100
        }
      }
      readinessProbe: {
        kind: 'tcp'
        containerPort: 9100
        periodSeconds: 1
      }
    }
    runtimes: {
      process: {
        command: 'python3'
        args: ['page.py']
      }
    }
  }
}

output url string = page.properties.endpoints.http
