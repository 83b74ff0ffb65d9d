"""Human judgements: direct assessment, MQM, rankings."""
