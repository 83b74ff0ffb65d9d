"""Files of localisation: units with an id, a source and a translation."""
