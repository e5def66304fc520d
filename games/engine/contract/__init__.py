"""What every game is tested with: the contract, matches played at random, and the contract of lessons."""
