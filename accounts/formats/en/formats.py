"""English dates and times: the month is a word, because 3/4 means two different days in two countries."""

DATE_FORMAT = SHORT_DATE_FORMAT = "j M Y"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "j M Y, H:i"
MONTH_DAY_FORMAT = "D, j M"
TIME_FORMAT = "H:i"
