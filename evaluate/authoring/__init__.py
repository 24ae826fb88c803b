"""For people who make challenges: check one, begin one, download public data."""
