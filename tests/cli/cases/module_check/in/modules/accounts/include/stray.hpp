// Without a folder of its own.
