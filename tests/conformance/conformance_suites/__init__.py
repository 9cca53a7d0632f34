"""Other projects' test suites as cases: what they expect in one normal form, and what netlint answers in the same."""
