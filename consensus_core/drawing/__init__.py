"""Arrays to pictures that stand still or move; nothing here knows a screen."""
