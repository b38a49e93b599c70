// Public.
