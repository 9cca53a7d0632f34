"""Results as people and machines read them. Nothing here knows how a finding was found."""
