"""Lessons: text files a teacher can write by hand, found by looking, held to what the core computes."""

from .finding import all_lessons, find_lesson
from .lesson import Break, Lesson, LessonError, Look, Option, Question, Screen

__all__ = ["Break", "Lesson", "LessonError", "Look", "Option", "Question", "Screen", "all_lessons", "find_lesson"]
