"""`/advise`: which card to play, asked on a form and shown in pictures, on any device."""
