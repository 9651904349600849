"""Closed sets of words, cheap to define: what `enum.StrEnum` means, without the start-up cost of `enum` and what it loads."""

from __future__ import annotations

__all__ = ["Words"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from enum import StrEnum as Words
else:

    class _Set(type):
        """Turns the strings of a class into its only instances."""

        def __new__(meta, name, bases, space):
            texts = {n: text for n, text in space.items() if type(text) is str and not n.startswith("_")}
            made = super().__new__(meta, name, bases, {n: v for n, v in space.items() if n not in texts})
            made.__members__ = {n: str.__new__(made, text) for n, text in texts.items()}
            made._by_value = {texts[n]: word for n, word in made.__members__.items()}
            for n, word in made.__members__.items():
                word.name, word.value = n, texts[n]
                setattr(made, n, word)
            return made

        def __call__(cls, text):
            try:
                return cls._by_value[text]
            except (KeyError, TypeError):
                raise ValueError(f"{text!r} is not a valid {cls.__name__}") from None

        def __iter__(cls):
            return iter(cls.__members__.values())

        def __len__(cls):
            return len(cls.__members__)

        def __contains__(cls, text):
            return text in cls._by_value

        def __getitem__(cls, name):
            return cls.__members__[name]

    class Words(str, metaclass=_Set):
        """Each attribute is a string that knows its `name` and `value`; the class is the set of them."""

        def __repr__(self):
            return f"<{type(self).__name__}.{self.name}: {self.value!r}>"

        def __str__(self):
            return self.value

        def __reduce__(self):
            return type(self), (self.value,)
