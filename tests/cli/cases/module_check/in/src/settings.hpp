// Of the application.
