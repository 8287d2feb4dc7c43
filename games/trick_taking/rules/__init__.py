"""What a game of tricks is before anybody plays: cards, rules, places, steps, a setup."""
