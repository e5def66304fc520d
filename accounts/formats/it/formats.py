"""Italian dates and times."""

DATE_FORMAT = SHORT_DATE_FORMAT = "j b Y"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "j b Y, H:i"
MONTH_DAY_FORMAT = "D j b"
TIME_FORMAT = "H:i"
