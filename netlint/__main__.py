"""`python -m netlint` is the command `netlint`."""

from netlint.cli import main

if __name__ == "__main__":
    main()
