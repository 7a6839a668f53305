"""What users give: kinds of values, timeouts and limits, and how they go to C."""
