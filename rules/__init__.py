"""The rules: one small pure function a rule, its page (`.md`) beside it. `catalogue` finds them, and no list does."""
