// Private.
