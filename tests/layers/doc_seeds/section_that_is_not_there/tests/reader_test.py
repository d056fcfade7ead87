# What docs/format.md
# 2.1 says.
