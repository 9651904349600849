// An API, and a command that puts it under load: each call launches a job of its own, which runs k6.
extension radius

@description('The environment to deploy to. Ulna fills it in.')
param environment string

@description('An image with Python, which runs the API.')
param python string = 'docker.io/library/python:3.12-alpine'

@description('An image with k6 and a shell.')
param k6 string = 'docker.io/grafana/k6:1.1.0'

@description('How long the API needs for an answer, in milliseconds.')
@minValue(0)
param work int = 5

@description('Seconds that a run is kept after its end, with its log.')
param keep int = 3600

resource shop 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: {
    environment: environment
  }
}

resource api 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'api'
  properties: {
    application: shop.id
    container: {
      image: python
      command: ['python3', '-u', '-c', loadTextContent('api.py')]
      env: {
        WORK_MS: {
          value: string(work)
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
        args: ['-u', 'api.py']
        env: {
          HOST: '127.0.0.1'
        }
      }
      docker: {
        HostConfig: {
          Init: true
        }
      }
    }
  }
}

// `ulna command api load-test -p vus=50`: $(NAME) is what was given.
resource loadTest 'Ulna.Core/commands@2026-12-01' = {
  name: 'load-test'
  properties: {
    target: api.id
    displayName: 'Load test'
    description: 'Users who look up prices for a while; fails if the API is slow or wrong.'
    icon: 'gauge'
    inputs: {
      vus: {
        type: 'int'
        displayName: 'Users at the same time'
        default: 10
        minValue: 1
        maxValue: 200
      }
      duration: {
        displayName: 'For how long'
        description: 'A number and a unit, ms, s or m: 30s.'
        default: '10s'
        pattern: '[0-9]+(ms|s|m)'
      }
      p95: {
        type: 'int'
        displayName: 'Milliseconds in which 95 % of the answers must be there'
        default: 1000
        minValue: 1
      }
    }
    launch: {
      timeToLiveSeconds: keep
      properties: {
        container: {
          image: k6
          command: ['sh', '-c']
          args: ['printf %s "$SCRIPT" >/tmp/load.js && exec k6 run --no-usage-report /tmp/load.js']
          env: {
            VUS: {
              value: '$(vus)'
            }
            DURATION: {
              value: '$(duration)'
            }
            P95: {
              value: '$(p95)'
            }
            SCRIPT: {
              value: loadTextContent('load.js')
            }
          }
        }
        connections: {
          api: {
            source: api.id
          }
        }
        runtimes: {
          process: {
            command: 'k6'
            args: ['run', '--no-usage-report', 'load.js']
          }
        }
      }
    }
  }
}

@description('Where the API answers.')
output url string = api.properties.endpoints.http
