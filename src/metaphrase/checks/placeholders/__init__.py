"""What a program fills in: printf, ICU MessageFormat, Python, i18next and their relatives."""
