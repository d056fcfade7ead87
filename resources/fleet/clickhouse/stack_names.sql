-- The frames of stacks, innermost first, the owner of each stack, and whether it has unnamed functions.
--   {stacks:Array(String)}        keys of stacks, 32 hexadecimal digits each
SELECT stack, any(owner), any(frames), max(notEmpty(unnamed.position))
FROM stacks
WHERE has({stacks:Array(String)}, lower(hex(stack)))
GROUP BY stack
