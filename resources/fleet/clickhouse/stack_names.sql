-- The frames of stacks, innermost first, which of them owns each, and whether some have no name.
--   {stacks:Array(String)}        their keys, 32 hexadecimal digits each
SELECT stack, any(owner), any(frames), max(notEmpty(unnamed.position))
FROM stacks
WHERE has({stacks:Array(String)}, lower(hex(stack)))
GROUP BY stack
