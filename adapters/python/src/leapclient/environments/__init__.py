"""Environments for learning programs: games of an engine as numbers, or as text for language models.

`games.Games` steps many games at once. The modules `pettingzoo`, `openspiel` and `text` give games the forms that these
libraries expect. Each needs the extra of its name, such as `pip install leapd[pettingzoo]`.
"""
