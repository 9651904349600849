"""The narrow waist: in comes what `build` compiled or ARM JSON text, out goes a `Template`.

A folder of its own below `check`, because a Bicep file may use an ARM JSON template as a module.
Files: template.py the value · read.py ARM JSON in
"""
