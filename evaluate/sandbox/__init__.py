"""Virtual machines without a network, and what the stages may ask of them."""
