"""What every command and the server take if nobody says otherwise."""

DEFAULT_LANGUAGE = "en"
#: Where there is room for one only: what agrees best with people.
DEFAULT_METRIC = "accord"
DEFAULT_METRICS = (DEFAULT_METRIC, "bleu", "chrf")
