-- The frames of stacks, innermost first, and which of them owns each.
--   {stacks:Array(String)}        their keys, 32 hexadecimal digits each
SELECT stack, any(owner), any(frames)
FROM stacks
WHERE has({stacks:Array(String)}, lower(hex(stack)))
GROUP BY stack
