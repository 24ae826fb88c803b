"""What the host and the guest agent say to each other.

The image build copies this package into the guest as it is, so both sides of the trust boundary import the same
definitions under the same name.  Standard library only.
"""
