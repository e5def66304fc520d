"""3D cardChess: secretly play a card at each card on the table and capture what your cards can.

The rules, importable without Django.
"""

from games.titles.card_chess.rules import CardChess

GAME = CardChess()
