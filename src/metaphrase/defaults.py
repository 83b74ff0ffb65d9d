"""What every command and the server take if nobody says otherwise."""

DEFAULT_LANGUAGE = "en"
#: Where there is room for one only.
DEFAULT_METRIC = "tesla-m"
DEFAULT_METRICS = (DEFAULT_METRIC, "bleu", "chrf")
