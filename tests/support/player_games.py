# SPDX-License-Identifier: MIT
"""Prints games of a few players in openings that branch and transpose, for tests of statistics of players. The games
are the same every time. Names have several spellings, ratings and dates are partly unknown, and some games are
unfinished.

usage: player_games.py [GAMES]
"""
import random
import sys

PLAYERS = [("Kramnik,V", 2750), ("Kramnik, Vladimir", 2600), ("Leko,P", 2720), ("Polg\u00e1r, Judit", 2690), ("Short,N", 2660), ("Anand,V", 2780),
           ("Kramnikov, Oleg", 2410), ("O'Hara, Zo\u00eb", 2300), ("Li Chao", 0), ("Ivanchuk, Vassily", 2740)]
# The moves that follow an opening line, with their frequencies. A line that is not listed ends there.
TREE = {
    "": [("e4", 5), ("d4", 4), ("Nf3", 2), ("c4", 1)],
    "e4": [("e5", 4), ("c5", 4), ("e6", 2)],
    "e4 e5": [("Nf3", 8), ("Bc4", 1)],
    "e4 e5 Nf3": [("Nc6", 5), ("Nf6", 4)],
    "e4 e5 Nf3 Nc6": [("Bb5", 4), ("Bc4", 2), ("d4", 1)],
    "e4 e5 Nf3 Nc6 Bb5": [("Nf6", 3), ("a6", 3)],
    "e4 e5 Nf3 Nc6 Bb5 Nf6": [("O-O", 3), ("d3", 2)],
    "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O": [("Nxe4", 3), ("Bc5", 1)],
    "e4 e5 Nf3 Nc6 Bb5 a6": [("Ba4 Nf6 O-O Be7", 3), ("Bxc6 dxc6", 1)],
    "e4 e5 Nf3 Nc6 Bc4": [("Bc5", 2), ("Nf6", 2)],
    "e4 e5 Nf3 Nf6": [("Nxe5 d6 Nf3 Nxe4", 3), ("Nc3 Nc6", 1)],
    "e4 c5": [("Nf3", 6), ("Nc3", 2), ("c3", 1)],
    "e4 c5 Nf3": [("d6 d4 cxd4 Nxd4 Nf6 Nc3", 3), ("Nc6", 3), ("e6 d4 cxd4 Nxd4", 1)],
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3": [("a6", 4), ("g6", 1), ("Nc6", 1)],
    "e4 c5 Nf3 Nc6": [("d4 cxd4 Nxd4", 2), ("Bb5", 2)],
    "e4 c5 Nc3": [("Nc6 Nf3", 2), ("d6", 1)],
    "e4 e6": [("d4 d5", 5)],
    "e4 e6 d4 d5": [("Nc3", 3), ("e5", 2), ("exd5 exd5", 1)],
    "d4": [("Nf6", 5), ("d5", 4)],
    "d4 Nf6": [("c4", 6), ("Nf3", 3)],
    "d4 Nf6 c4": [("e6", 5), ("g6", 3)],
    "d4 Nf6 c4 e6": [("Nc3", 3), ("Nf3", 3), ("g3", 2)],
    "d4 Nf6 c4 e6 Nc3": [("Bb4", 4), ("d5", 2)],
    "d4 Nf6 c4 e6 Nf3": [("d5", 2), ("b6", 2)],
    "d4 Nf6 Nf3": [("e6 c4", 2), ("g6", 2), ("d5 c4 e6", 1)],
    "d4 d5": [("c4", 6), ("Nf3 Nf6 c4", 2)],
    "d4 d5 c4": [("e6 Nc3 Nf6", 3), ("c6", 3), ("dxc4", 1)],
    "Nf3": [("d5 d4 Nf6 c4", 2), ("Nf6", 2)],
    "Nf3 Nf6": [("c4 e6 Nc3 d5 d4", 1), ("d4 g6", 1), ("g3", 1)],
    "c4": [("Nf6 Nc3 e6 d4", 1), ("e5", 2), ("c5", 1)],
}


def line(dice):
    moves = ""
    while moves in TREE:
        choices = TREE[moves]
        moves = " ".join([moves, dice.choices([one for one, _ in choices], [weight for _, weight in choices])[0]]).strip()
        if dice.random() < 0.04:
            break
    return moves.split()


def numbered(moves):
    return " ".join(("%d. " % (ply // 2 + 1) if ply % 2 == 0 else "") + move for ply, move in enumerate(moves))


def games(number):
    dice = random.Random(28)
    for n in range(number):
        white, black = dice.sample(PLAYERS[:3] * 3 + PLAYERS, 2)
        while white == black:
            white, black = dice.sample(PLAYERS, 2)
        result = dice.choices(["1-0", "1/2-1/2", "0-1", "*"], [35, 40, 24, 1])[0]
        date = dice.choices(["%d.%02d.%02d" % (dice.randint(1995, 2012), dice.randint(1, 12), dice.randint(1, 28)), "%d.??.??" % dice.randint(1995, 2012), "????.??.??"],
                            [12, 1, 1])[0]
        tags = [("Event", "Test %d" % (n % 7)), ("Site", "?"), ("Date", date), ("Round", str(n)), ("White", white[0]), ("Black", black[0]), ("Result", result)]
        for side, player in (("White", white), ("Black", black)):
            if player[1] and dice.random() < 0.95:
                tags.append((side + "Elo", str(player[1] + dice.randint(-60, 60))))
        yield "".join('[%s "%s"]\n' % tag for tag in tags) + "\n%s %s\n" % (numbered(line(dice)), result)


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    print("\n".join(games(int(sys.argv[1]) if len(sys.argv) > 1 else 600)))
