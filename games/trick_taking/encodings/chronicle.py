"""Who was dealt each card and in which trick it was played: the fewest qubits for large games."""

from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from compiler.errors import VerificationError
from compiler.synthesis.operator import Operator
from games.encoding import encoding
from games.trick_taking.encodings.list_decoding import HistoryEncoding
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.operators.chronicle import (
    ChronicleDeal,
    ChroniclePlay,
    ChronicleTrick,
    code_bits,
)
from games.trick_taking.operators.list_deal import SEGMENTED
from games.trick_taking.operators.lists import unpack
from games.trick_taking.play.replay import Played, replay
from games.trick_taking.rules.setup import Deal, Play, Trick


@encoding("chronicle")
class Chronicle(HistoryEncoding):
    """For every card its first owner and its trick, and for every trick its winner.

    Registers, n cards and t tricks: `dealt` (n·b), `trick` (n·d, see `games.trick_taking.operators.
    chronicle`), `winner` (a seat for every trick), `work` (clean ancillas). There is no history:
    the chronicle is all there is to remember. All but `work` is measured.
    """

    def supports(self, game: TrickTakingGame) -> bool:
        """Whole games in which any card may be played."""
        begun = game.table or game.taken or game.first_card is not None
        return game.rules.name == "paper" and not begun and not game.class_counts

    def program(self, game: TrickTakingGame) -> QuantumCircuit:
        """Return the program; see `Encoding`."""
        cards, bits, code = len(game.deck), game.owner_bits, code_bits(game.hand)
        seat_bits = (game.players - 1).bit_length()
        owner, trick = (
            QuantumRegister(cards * bits, "dealt"),
            QuantumRegister(cards * code, "trick"),
        )
        winner = QuantumRegister(game.hand * seat_bits, "winner")
        steps: list[tuple[Operator, list[object]]] = []
        for step in game.steps():
            match step:
                case Deal():
                    steps.append((ChronicleDeal(game.hands, game.known), [*owner]))
                case Play(seat=seat, hand=hand, trick=number):
                    play = ChroniclePlay(cards, bits, code, seat=seat, hand=hand, trick=number)
                    steps.append((play, [*owner, *trick]))
                case Trick(trick=number):
                    taking = ChronicleTrick(cards, bits, code, players=game.players, trick=number)
                    won = winner[number * seat_bits : (number + 1) * seat_bits]
                    steps.append((taking, [*owner, *trick, *won]))
                case _:
                    raise AssertionError("paper rules have deals, plays and tricks")
        most = max(operator.ancillas for operator, _ in steps)
        work = QuantumRegister(most, "work")
        registers = (owner, trick, winner)
        outcomes = [ClassicalRegister(register.size, register.name) for register in registers]
        circuit = QuantumCircuit(*registers, work, *outcomes, name=game.name)
        circuit.x(trick)
        for operator, operands in steps:
            ancillas = work[: operator.ancillas]
            circuit.append(operator, [*operands, *ancillas])
            if cards > SEGMENTED:
                circuit.barrier()
        for register, outcome in zip(registers, outcomes, strict=True):
            circuit.measure(register, outcome)
        return circuit

    def history(self, game: TrickTakingGame, measured: int) -> Played:
        """Replay the game that was measured; see `Encoding`."""
        cards, bits, code = len(game.deck), game.owner_bits, code_bits(game.hand)
        owners = unpack(measured, cards, bits)
        tricks = unpack(measured, cards, code, cards * bits)
        seat_bits = (game.players - 1).bit_length()
        winners = unpack(measured, game.hand, seat_bits, cards * (bits + code))
        place = {(tricks[card], owners[card]): card for card in range(cards)}
        left = (1 << code) - 1
        if sum(tricks[card] == left for card in range(cards)) != game.skat:
            raise VerificationError("as many cards as there are in the skat must stay unplayed")
        turns = [(number, seat) for number in range(game.hand) for seat in range(game.players)]
        for number, seat in turns:
            if (number, seat) not in place:
                raise VerificationError(f"trick {number + 1}: no card of seat {seat}")
        plays = tuple(place[turn] for turn in turns)
        result = replay(game, owners, plays)
        if list(result.winners) != winners:
            raise VerificationError(f"tricks go to {list(result.winners)}, not to {winners}")
        return Played(tuple(owners), plays, result.owners)
