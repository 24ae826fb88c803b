"""Receipts: signed statements of what was evaluated and found, and the log that none can leave unseen.

No format is ours: in-toto Statement v1 in a DSSE envelope signed with Ed25519, an RFC 6962 Merkle log whose heads are
C2SP ``tlog-checkpoint`` notes, and C2SP ``tlog-proof`` files.
"""
