"""Virtual machine images and dependency layers: the only code that builds root file systems."""
