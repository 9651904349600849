"""What holds where no `bicepconfig.json` says otherwise."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any


DEFAULTS: dict[str, Any] = {
    "cloud": {
        "currentProfile": "AzureCloud",
        "profiles": {
            "AzureCloud": {
                "resourceManagerEndpoint": "https://management.azure.com",
                "activeDirectoryAuthority": "https://login.microsoftonline.com",
            },
            "AzureChinaCloud": {
                "resourceManagerEndpoint": "https://management.chinacloudapi.cn",
                "activeDirectoryAuthority": "https://login.chinacloudapi.cn",
            },
            "AzureUSGovernment": {
                "resourceManagerEndpoint": "https://management.usgovcloudapi.net",
                "activeDirectoryAuthority": "https://login.microsoftonline.us",
            },
        },
        "credentialPrecedence": ["AzureCLI", "AzurePowerShell"],
    },
    "moduleAliases": {
        "ts": {},
        "br": {"public": {"registry": "mcr.microsoft.com", "modulePath": "bicep"}},
    },
    "extensions": {"az": "builtin:", "kubernetes": "builtin:", "radius": "builtin:", "ulna": "builtin:"},
    "implicitExtensions": ["az"],
    "analyzers": {
        "core": {
            "verbose": False,
            "enabled": True,
            "rules": {
                "no-hardcoded-env-urls": {
                    "disallowedhosts": [
                        "azuredatalakeanalytics.net",
                        "azuredatalakestore.net",
                        "batch.core.windows.net",
                        "core.windows.net",
                        "database.windows.net",
                        "datalake.azure.net",
                        "gallery.azure.com",
                        "graph.windows.net",
                        "login.microsoftonline.com",
                        "management.azure.com",
                        "management.core.windows.net",
                        "vault.azure.net",
                    ],
                    "excludedhosts": ["schema.management.azure.com"],
                },
                "use-recent-api-versions": {"maxAgeInDays": 730, "gracePeriodInDays": 90},
                "use-recent-az-powershell-version": {"minimumVersion": "11.0"},
            },
        },
    },
    "experimentalFeaturesEnabled": {},
    "experimentalFeaturesWarning": True,
    "formatting": {
        "indentKind": "Space",
        "newlineKind": "LF",
        "insertFinalNewline": True,
        "indentSize": 2,
        "width": 120,
    },
}
