"""For people who make challenges: check one, start one, download public data."""
