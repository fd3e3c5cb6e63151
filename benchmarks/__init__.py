"""The measured claims, each one command: python -m benchmarks.NAME"""
