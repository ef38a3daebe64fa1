from some_team.player import Gambler as Player
