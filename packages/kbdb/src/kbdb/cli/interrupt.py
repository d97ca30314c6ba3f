"""What a Ctrl-C left behind."""


class Interrupted(BaseException):
    """A Ctrl-C of which it is known what it left; ``outcome`` says so in a few words."""

    def __init__(self, outcome: str) -> None:
        super().__init__(outcome)
        self.outcome = outcome
