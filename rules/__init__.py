"""The rules: one small pure function a rule, its page (`.md`) beside it. `catalogue` finds them; no list is kept by hand."""
