"""Folders: what is reviewed (discover), on which machinery (engines), what was done already (journal), how it goes."""
