"""Numbers and dates: how languages write them, and whether both texts say the same ones."""
