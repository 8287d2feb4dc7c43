"""What playing a match needs beside its rules: chance, bots, pictures, ratings."""
