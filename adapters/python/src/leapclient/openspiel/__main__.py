"""`python -m leapclient.openspiel`."""

from . import main

main()
