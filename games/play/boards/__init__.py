"""What people see of a match: the only renderer of boards, from `view_for` and nothing else."""
