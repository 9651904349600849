"""From ARM JSON to Bicep: the text of a template comes in, the text of a Bicep file and its modules goes out."""
