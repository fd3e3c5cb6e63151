"""Watching runs: computed in threads, drawn, asked and answered. Never imports Streamlit."""
