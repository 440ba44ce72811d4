// Nothing of its own: it owns the precompiled header that all test programs share.
